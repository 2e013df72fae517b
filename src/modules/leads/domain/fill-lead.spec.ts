import { newId } from '../../../kernel/ids';
import { fillingFields } from './fill-lead';
import { Lead, type LeadFields } from './lead';
import { Pipeline } from './pipeline';

const ref = { workspaceId: newId('ws'), mode: 'live' } as const;
const pipeline = new Pipeline(ref, []);
const reason = newId('reason');

function filling(lead: Partial<LeadFields>, given: Partial<LeadFields>): Partial<LeadFields> {
  const { lead: opened } = Lead.open(ref, { email: 'ana@example.com', ...lead }, new Date());
  return fillingFields(opened, given, pipeline);
}

test('empty fields are filled; those with a value stay, and so do those that would be cleared', () => {
  const lead = { name: 'Ana', tags: ['vip'], guests: 20 };
  const given = {
    email: 'ana@work.example',
    name: 'Eva',
    phone: '+34600123456',
    guests: null,
    source: 'fair',
    tags: ['garden'],
  };
  expect(filling(lead, given)).toEqual({ phone: '+34600123456', source: 'fair' });
  expect(filling({}, { tags: ['garden'], name: null })).toEqual({ tags: ['garden'] });
  expect(filling({}, { tags: [], externalId: null })).toEqual({});
});

test.each<[string, string, boolean]>([
  ['new_enquiry', 'visit_booked', true],
  ['new_enquiry', 'lost', true],
  ['visit_booked', 'contacted', false],
  ['visit_booked', 'visit_booked', false],
  ['lost', 'contacted', false],
  ['confirmed', 'lost', false],
])('a lead at %s that is given the stage %s moves: %s', (from, to, moves) => {
  expect(filling({ stage: from }, { stage: to })).toEqual(moves ? { stage: to } : {});
});

test('why a lead was lost goes with its stage', () => {
  const loss = { lostReasonId: reason, lostNote: 'Too small' };
  expect(filling({}, { stage: 'lost', ...loss })).toEqual({ stage: 'lost', ...loss });
  expect(filling({ stage: 'confirmed' }, { stage: 'lost', ...loss })).toEqual({});
  expect(filling({ stage: 'lost' }, { stage: 'lost', ...loss })).toEqual(loss);
  // Without a stage it is refused as in any change.
  expect(filling({}, loss)).toEqual(loss);
});
