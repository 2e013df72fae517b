import type { INestApplicationContext } from '@nestjs/common';
import { OPERATOR } from '../../kernel/actor';
import type { LeadId, SpaceId } from '../../kernel/ids';
import type { WorkspaceRef } from '../../kernel/principal';
import { BookVisit, type EventInput, ManageSpaces, type NewSpace, PlanEvent } from '../../modules/calendar';
import { CreateLead, type NewLead } from '../../modules/leads';
import { SendMessage } from '../../modules/messages';
import { ChangeProposal, DraftProposal, type NewProposal } from '../../modules/proposals';

const SAMPLE_LEADS: NewLead[] = [
  {
    name: 'Ana Pérez',
    email: 'ana@example.com',
    phone: '+34600123456',
    eventDate: '2027-06-12',
    guests: 120,
    source: 'website',
    tags: ['wedding', 'garden'],
  },
  {
    name: 'Oliver O’Brien',
    email: "o'brien@example.ie",
    guests: 40,
    source: 'referral',
    stage: 'contacted',
    tags: ['birthday'],
  },
  {
    name: 'Zoë Nováková',
    email: 'zoe@example.cz',
    eventDate: '2027-09-03',
    guests: 260,
    source: 'fair',
    stage: 'visit_booked',
    tags: ['conference', 'vip'],
  },
];

/** The first is sent to the first lead. The second stays a draft for the second lead. */
const SAMPLE_PROPOSALS: Omit<NewProposal, 'leadId'>[] = [
  {
    title: 'Garden wedding',
    lineItems: [
      { description: 'Dinner, three courses', unit: 'per_guest', unitAmount: 8500, taxRate: 10 },
      { description: 'Garden and pavilion', unit: 'flat', unitAmount: 250_000, taxRate: 21 },
      { description: 'Band', unit: 'per_hour', quantity: 4.5, unitAmount: 22_000, taxRate: 21 },
    ],
    deposit: { percent: 30, dueDate: '2027-02-28' },
    notes: 'Final numbers two weeks before the day.',
  },
  {
    title: 'Birthday lunch',
    lineItems: [{ description: 'Lunch', unit: 'per_guest', unitAmount: 4500, taxRate: 10 }],
  },
];

const SAMPLE_SPACES: NewSpace[] = [
  { name: 'Garden Pavilion', capacity: 180, setupMinutes: 180, clearingMinutes: 60 },
  { name: 'Stone Hall', capacity: 300, setupMinutes: 120, clearingMinutes: 60 },
];

/** Fills the sandbox with leads, messages, proposals and calendar events. */
export async function fillSandbox(app: INestApplicationContext, workspace: WorkspaceRef): Promise<void> {
  const ref = { ...workspace, actor: OPERATOR };
  const get = <Type>(token: new (...args: never[]) => Type) => app.get<Type>(token, { strict: false });
  const leadIds: LeadId[] = [];
  for (const lead of SAMPLE_LEADS) {
    const { id, name, phone } = await get(CreateLead).execute(ref, lead);
    leadIds.push(id);
    if (!phone) continue;
    const text = `Hi ${name}, thank you for your enquiry! Shall we show you the garden?`;
    await get(SendMessage).execute(ref, id, { text, template: null });
  }
  const spaceIds: SpaceId[] = [];
  for (const space of SAMPLE_SPACES) {
    spaceIds.push((await get(ManageSpaces).create(ref, OPERATOR, space)).id);
  }
  const [ana, , zoe] = leadIds;
  const [garden, hall] = spaceIds;
  const within = (id?: SpaceId) => ({ spaces: { field: 'spaceId' as const, ids: id ? [id] : [] } });
  const plan = (input: EventInput) => get(PlanEvent).execute(ref, input);
  await plan({
    type: 'event',
    title: 'Wedding of Ana and Luis',
    startsAt: '2027-06-12T16:00:00Z',
    endsAt: '2027-06-13T01:00:00Z',
    leadId: ana,
    guests: 120,
    ...within(garden),
  });
  await get(BookVisit).execute(ref, zoe!, { startsAt: '2027-06-08T10:00:00Z', ...within(hall) });
  await plan({
    type: 'hold',
    title: 'Conference',
    startsAt: '2027-09-03',
    endsAt: '2027-09-05',
    leadId: zoe,
    ...within(hall),
  });
  await plan({
    type: 'block',
    title: 'The floor is polished',
    startsAt: '2027-06-14',
    endsAt: '2027-06-17',
    ...within(hall),
  });
  const [wedding, lunch] = SAMPLE_PROPOSALS.map(
    (proposal, index) => () => get(DraftProposal).create(ref, { leadId: leadIds[index]!, ...proposal }),
  );
  await get(ChangeProposal).send(ref, (await wedding!()).id);
  await lunch!();
}
