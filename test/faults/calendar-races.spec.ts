import { countOverlaps, raceForOneDay, raceOfEveryKind } from '../calendar/booking-races';
import { createSpace, titlesIn } from '../support/calendar';
import { startGala, type TestGala } from '../support/start-gala';

jest.setTimeout(180_000);

let gala: TestGala;
beforeAll(async () => {
  gala = await startGala();
});
afterAll(() => gala.stop());

test('of a thousand who book one space and day at once one succeeds, and the others are told who', async () => {
  const client = await (await gala.createWorkspace()).client();
  const { id } = await createSpace(client, { setupMinutes: 120, clearingMinutes: 60 });
  await raceForOneDay(client, id, 1000);
  expect(await titlesIn(client, '2027-06-12', '2027-06-12')).toHaveLength(1);
});

test('thousands of moves, cancellations and restorations at once leave nothing that overlaps', async () => {
  const client = await (await gala.createWorkspace()).client();
  const spaces = await Promise.all(['Hall', 'Terrace', 'Barn'].map((name) => createSpace(client, { name })));
  for (let round = 0; round < 5; round++) {
    await raceOfEveryKind(
      client,
      spaces.map(({ id }) => id),
      500,
    );
  }
  expect(await countOverlaps(gala)).toBe(0);
});
