import { checkWholeDays, ZONES } from '../calendar/zone-days';
import { startGala, type TestGala } from '../support/start-gala';

jest.setTimeout(180_000);

let gala: TestGala;
beforeAll(async () => {
  gala = await startGala();
});
afterAll(() => gala.stop());

test('whole days come out as they went in, and are on their days alone, in every zone there is', () =>
  checkWholeDays(gala, ZONES));
