import { Controller, Get, Header, HttpCode, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../access/access.decorators';
import { CountsItself } from '../rate-limiting/counts-itself.decorator';
import { DatabaseProbe } from '../persistence/database-probe';
import { ServiceState } from './service-state';

/** For monitoring and load balancers: whether the process is alive, and whether it should get requests. */
@ApiExcludeController()
@Controller('health')
@Public()
@CountsItself()
export class HealthController {
  constructor(
    private readonly database: DatabaseProbe,
    private readonly service: ServiceState,
  ) {}

  @Get('live')
  @Header('Cache-Control', 'no-store')
  live() {
    return { status: 'ok' };
  }

  @Get('ready')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  async ready(@Res({ passthrough: true }) response: Response) {
    const status = this.service.isStopping ? 'stopping' : await this.database.ask();
    if (status !== 'ok') response.status(503);
    return { status };
  }
}
