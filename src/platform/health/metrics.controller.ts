import { createServer, type Server } from 'node:http';
import {
  Controller,
  Get,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  Req,
  Res,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { NotFound, Unauthorized } from '../../kernel/errors';
import { Public } from '../access/access.decorators';
import { Configuration } from '../config/configuration';
import { listen } from '../http/listen';
import { CountsItself } from '../rate-limiting/counts-itself.decorator';
import { Metrics } from './metrics';
import { isSameSecret } from '../../kernel/secret-token';

/** Metrics are for the operator: on a separate port, with a separate token, or not at all. */
@ApiExcludeController()
@Controller('metrics')
@Public()
@CountsItself()
export class MetricsController implements OnApplicationBootstrap, OnApplicationShutdown {
  private server?: Server;

  constructor(
    private readonly configuration: Configuration,
    private readonly metrics: Metrics,
  ) {}

  @Get()
  async get(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<string> {
    const { token } = this.configuration.metrics;
    if (token === undefined) throw new NotFound('resource');
    if (!isSameSecret(request.headers.authorization ?? '', `Bearer ${token}`)) {
      throw new Unauthorized('Send the metrics token in the header Authorization: Bearer <token>.', false);
    }
    response.setHeader('Content-Type', this.metrics.contentType);
    return this.metrics.render();
  }

  async onApplicationBootstrap(): Promise<void> {
    const { port } = this.configuration.metrics;
    if (port === undefined) return;
    const server = createServer((request, response) => {
      this.metrics.render().then(
        (text) => response.setHeader('Content-Type', this.metrics.contentType).end(text),
        // Some metrics are read from the database, which may be unavailable.
        () => response.writeHead(503).end(),
      );
    });
    this.server = server;
    await listen(server, port, 'METRICS_PORT');
  }

  onApplicationShutdown(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }
}
