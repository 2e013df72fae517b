import { type BeforeApplicationShutdown, Controller, Get, Header, HttpCode, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../access/access.decorators';
import { Database } from '../persistence/database';

const PATIENCE_MS = 2000;

/** For whoever watches over the process: is it alive, and should it get requests? */
@ApiExcludeController()
@Controller('health')
@Public()
export class HealthController implements BeforeApplicationShutdown {
  private stopping = false;

  constructor(private readonly database: Database) {}

  beforeApplicationShutdown(): void {
    this.stopping = true;
  }

  @Get('live')
  @Header('Cache-Control', 'no-store')
  live() {
    return { status: 'ok' };
  }

  @Get('ready')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  async ready(@Res({ passthrough: true }) response: Response) {
    const status = this.stopping
      ? 'stopping'
      : (await this.databaseAnswers())
        ? 'ok'
        : 'database unavailable';
    if (status !== 'ok') response.status(503);
    return { status };
  }

  private async databaseAnswers(): Promise<boolean> {
    const timeout = new Promise<boolean>((resolve) => setTimeout(resolve, PATIENCE_MS, false).unref());
    const answer = this.database.query({ text: 'SELECT 1', values: [] }).then(
      () => true,
      () => false,
    );
    return Promise.race([answer, timeout]);
  }
}
