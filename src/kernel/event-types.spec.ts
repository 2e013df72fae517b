import { EventTypes, readableWith } from './event-types';

const typesOf = (...names: string[]) =>
  new EventTypes(
    ...names.map((name, index) => ({
      by: `Module${index + 1}`,
      entries: readableWith('gifts:read', { [name]: 'Something happened' }),
    })),
  );

test.each(['lead.created', 'calendar_event.stage_changed', 'oauth2_app.created2'])(
  '%j can be an event type',
  (type) => {
    expect(typesOf(type).names()).toEqual([type]);
  },
);

test.each([
  'lead',
  'lead.',
  '.created',
  'Lead.created',
  'lead.Created',
  'lead.a.b',
  'lead created',
  'lead.*',
  'a-b.c',
])('%j can’t be an event type, and whoever registers it is named', (type) => {
  expect(() => typesOf('lead.created', type)).toThrow(
    `Module2 registers the event type ${JSON.stringify(type)}, which must be <object>.<what happened> in snake_case`,
  );
});

test('an event type that two modules register is refused, and both are named', () => {
  expect(() => typesOf('lead.created', 'lead.lost', 'lead.created')).toThrow(
    'The event type lead.created is registered twice: by Module1 and by Module3. Rename one of them.',
  );
});
