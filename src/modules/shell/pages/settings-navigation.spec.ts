import { type AddedPage, SettingsNavigation } from './settings-navigation';

const page = (path: string, position?: number): AddedPage => ({
  label: path,
  path,
  least: 'member',
  position,
});

test('pages stand in the order of their positions, then in the order in which they were added', () => {
  const navigation = new SettingsNavigation();
  navigation.add(page('later'), page('second', 2));
  navigation.add(page('latest'));
  navigation.add(page('first', 1));
  expect(navigation.pages().map(({ path }) => path)).toEqual(['first', 'second', 'later', 'latest']);
});

test('two pages can’t have one path', () => {
  const navigation = new SettingsNavigation();
  navigation.add(page('members'));
  expect(() => navigation.add(page('members'))).toThrow('The settings page members is added twice.');
  expect(() => navigation.add({ ...page('members'), group: 'Team', label: 'Staff' })).toThrow(
    'Both "members" and "Team, Staff" lead to it: give one of them another path.',
  );
});
