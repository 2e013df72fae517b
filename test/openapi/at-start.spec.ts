import { SwaggerModule } from '@nestjs/swagger';
import { startGala } from '../support/start-gala';

test('a service writes its description when it starts, once for all requests', async () => {
  const write = jest.spyOn(SwaggerModule, 'createDocument');
  const gala = await startGala({ describesItself: true });
  try {
    expect(write).toHaveBeenCalledTimes(1);
    const { body } = await gala.anonymous.get('/openapi.json');
    expect((await gala.anonymous.get('/openapi.json')).body).toEqual(body);
    expect(write).toHaveBeenCalledTimes(1);
  } finally {
    await gala.stop();
  }
});
