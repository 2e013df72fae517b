import fc from 'fast-check';
import { ValidationFailed } from '../../../kernel/errors';
import { newId } from '../../../kernel/ids';
import type { LineItemInput } from './line-item';
import { Proposal, type ProposalFields, type ProposalStatus } from './proposal';

const workspace = { workspaceId: newId('ws'), mode: 'live' } as const;
const START = new Date('2027-01-15T09:30:00.000Z');
const context = { guests: 120, timeZone: 'Europe/Madrid', now: START };
const dinner: LineItemInput = { description: 'Dinner', unit: 'per_guest', unitAmount: 8500, taxRate: 10 };
const ana = { name: 'Ana', address: '203.0.113.7', userAgent: null };

const draft = (fields: Partial<ProposalFields> = {}, guests: number | null = 120) =>
  Proposal.draft(
    workspace,
    { leadId: newId('lead'), number: 1 },
    { title: 'Wedding', currency: 'EUR', lineItems: [dinner], ...fields },
    { ...context, guests },
  );
const sent = (fields: Partial<ProposalFields> = {}) => {
  const proposal = draft(fields);
  proposal.send(context);
  return proposal;
};
/** The field that a refusal names. */
const refusedField = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof ValidationFailed) return error.details[0]!.field;
    throw error;
  }
  return 'none';
};

const steps = {
  update: (proposal: Proposal) => proposal.update({ title: 'Other' }, context),
  send: (proposal: Proposal) => proposal.send(context),
  view: (proposal: Proposal) => proposal.view(START),
  accept: (proposal: Proposal) => proposal.accept(ana, START),
  decline: (proposal: Proposal) => proposal.decline(null, START),
  expire: (proposal: Proposal) => proposal.expire(START),
  withdraw: (proposal: Proposal) => proposal.withdraw(START),
  archive: (proposal: Proposal) => proposal.archive(START),
  restore: (proposal: Proposal) => proposal.restore(START),
};
const NEXT: Record<ProposalStatus, ProposalStatus[]> = {
  draft: ['sent'],
  sent: ['viewed', 'accepted', 'declined', 'expired', 'withdrawn'],
  viewed: ['accepted', 'declined', 'expired', 'withdrawn'],
  accepted: [],
  declined: [],
  expired: [],
  withdrawn: [],
};

test('no sequence of steps leaves the lifecycle, and what was sent never changes', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...Object.values(steps)), { maxLength: 15 }), (path) => {
      const proposal = draft();
      for (const step of path) {
        const { status: before, title, total } = proposal;
        const state = JSON.stringify(proposal);
        try {
          step(proposal);
        } catch (error) {
          expect(error).toBeInstanceOf(ValidationFailed);
          expect(JSON.stringify(proposal)).toBe(state);
          continue;
        }
        if (proposal.status !== before) expect(NEXT[before]).toContain(proposal.status);
        if (before !== 'draft') expect(proposal).toMatchObject({ title, total });
        expect(Boolean(proposal.acceptedAt)).toBe(proposal.status === 'accepted');
        expect(Boolean(proposal.sentAt)).toBe(proposal.status !== 'draft');
      }
    }),
    { numRuns: 1000 },
  );
});

test('quantities that aren’t given: the guests for per_guest, otherwise one', () => {
  const flat: LineItemInput = { description: 'Hall', unit: 'flat', unitAmount: 100_000 };
  expect(draft({ lineItems: [dinner, flat] }).lineItems).toMatchObject([
    { quantity: 120, amount: 1_020_000, taxAmount: 102_000 },
    { quantity: 1, taxRate: 0, amount: 100_000, taxAmount: 0 },
  ]);
  expect(refusedField(() => draft({ lineItems: [flat, dinner] }, null))).toBe('lineItems[1].quantity');
});

test.each<[string, Partial<ProposalFields>]>([
  ['lineItems', { lineItems: [{ ...dinner, unitAmount: -1 }] }],
  ['lineItems', { lineItems: [{ ...dinner, quantity: 1_000_000, unitAmount: 10 ** 12 }] }],
  ['currency', { currency: 'XXX' }],
  ['deposit.amount', { deposit: { amount: 1_122_001 } }],
  ['deposit.amount', { deposit: { dueDate: '2027-02-01' } }],
  ['deposit.percent', { deposit: { amount: 1, percent: 1 } }],
])('%s: %j is refused', (field, fields) => {
  expect(refusedField(() => draft(fields))).toBe(field);
});

test('a deposit by percent follows the total, one by amount stays', () => {
  const proposal = draft({ deposit: { percent: 30 } });
  expect(proposal.deposit).toEqual({ amount: 336_600, percent: 30, dueDate: null });
  proposal.update({ lineItems: [{ ...dinner, quantity: 1 }] }, context);
  expect(proposal.deposit!.amount).toBe(2805);
  proposal.update({ deposit: { amount: 9350 } }, context);
  expect(refusedField(() => proposal.update({ lineItems: [] }, context))).toBe('deposit.amount');
});

test('an update that changes nothing leaves updatedAt alone', () => {
  const proposal = draft({ deposit: { percent: 30 } });
  const later = { ...context, now: new Date('2027-02-01T00:00:00Z') };
  proposal.update({ title: 'Wedding', lineItems: [dinner] }, later);
  expect(proposal.updatedAt).toEqual(START);
  proposal.update({ title: 'Party' }, later);
  expect(proposal.updatedAt).toEqual(later.now);
});

test('it can be accepted on its last day where the workspace is, and not on the next', () => {
  const proposal = sent({ validUntil: '2027-01-20' });
  expect(proposal.isOverdue('Europe/Madrid', new Date('2027-01-20T22:59:59.999Z'))).toBe(false);
  expect(proposal.isOverdue('Europe/Madrid', new Date('2027-01-20T23:00:00.000Z'))).toBe(true);
  expect(proposal.isOverdue('America/Bogota', new Date('2027-01-20T23:00:00.000Z'))).toBe(false);
  expect(proposal.isOverdue('Pacific/Kiritimati', new Date('2027-01-20T10:00:00.000Z'))).toBe(true);
  expect(refusedField(() => sent({ validUntil: '2027-01-14' }))).toBe('validUntil');
});

test('another version is a draft of the same', () => {
  const first = sent({ deposit: { percent: 30 }, validUntil: '2027-02-01' });
  const second = first.revise(context);
  const { lineItems, deposit, total, number, leadId } = first;
  expect(second).toMatchObject({
    lineItems,
    deposit,
    total,
    number,
    leadId,
    status: 'draft',
    publicToken: null,
  });
  expect(second).toMatchObject({ version: 2, previousVersionId: first.id });
  expect(refusedField(() => second.revise(context))).toBe('status');
});

test('its link is 256 bits of chance, and another one after it was changed', () => {
  const proposal = sent();
  const before = proposal.publicToken!;
  expect(before).toMatch(/^[\w-]{43}$/);
  proposal.rotateLink(START);
  expect(proposal.publicToken).toMatch(/^[\w-]{43}$/);
  expect(proposal.publicToken).not.toBe(before);
  expect(refusedField(() => draft().rotateLink(START))).toBe('status');
});
