import { newId, toUuid } from '../../kernel/ids';
import { isArchived, Parameters } from './parameters';

test('conditions name their parameters in the order in which they were added', () => {
  const parameters = new Parameters();
  const workspaceId = newId('ws');
  expect([
    ...parameters.inWorkspace({ workspaceId, mode: 'test' }),
    ...parameters.when('new', (stage) => `stage = ${stage}`),
    ...parameters.when(undefined, (tag) => `tag = ${tag}`),
    ...parameters.when(0, (guests) => `guests = ${guests}`),
  ]).toEqual(['workspace_id = $1', 'mode = $2', 'stage = $3', 'guests = $4']);
  expect(parameters.values).toEqual([toUuid(workspaceId), 'test', 'new', 0]);
});

test.each([
  ['all', []],
  ['true', ['archived_at IS NOT NULL']],
  ['false', ['archived_at IS NULL']],
] as const)('archived=%s', (filter, conditions) => {
  expect(isArchived(filter)).toEqual(conditions);
});
