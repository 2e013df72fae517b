import { Controller, Get, Module, NotFoundException, Param } from '@nestjs/common';
import { RequireCredential } from '../../src/platform/access/access.decorators';
import { Deprecated } from '../../src/platform/openapi/deprecated';
import { startGala, type TestGala } from '../support/start-gala';

@Controller('v1/points')
@RequireCredential()
class PointsController {
  @Get(':id')
  @Deprecated({ since: '2027-01-01', sunset: '2028-01-01' })
  of(@Param('id') id: string) {
    if (id === 'none') throw new NotFoundException();
    return { points: 0 };
  }
}

@Module({ controllers: [PointsController] })
class PointsModule {}

let gala: TestGala;
beforeAll(async () => void (gala = await startGala({ extensions: [{ module: PointsModule }] })));
afterAll(() => gala.stop());

test('a deprecated route says so in its answers, errors included, and in the document', async () => {
  const client = await (await gala.createWorkspace()).client('test');
  const answers = [await client.get('/v1/points/some'), await client.get('/v1/points/none')];
  expect(answers.map(({ status }) => status)).toEqual([200, 404]);
  for (const { headers } of answers) {
    expect(headers).toMatchObject({
      deprecation: '@1798761600',
      sunset: 'Sat, 01 Jan 2028 00:00:00 GMT',
      link: '</docs/guides/versioning>; rel="deprecation"; type="text/html"',
    });
  }
  const { paths } = (await gala.anonymous.get('/openapi.json')).body;
  expect(paths['/v1/points/{id}'].get).toMatchObject({ deprecated: true, 'x-sunset': '2028-01-01' });
  expect(paths['/v1/leads'].get.deprecated).toBeUndefined();
  expect((await client.get('/v1/leads')).headers.deprecation).toBeUndefined();
});

test('clients get a year at least', () => {
  expect(() => Deprecated({ since: '2027-01-01', sunset: '2027-12-31' })).toThrow(/a year/);
});
