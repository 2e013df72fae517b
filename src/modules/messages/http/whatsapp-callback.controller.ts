import { createHmac } from 'node:crypto';
import { Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Clock } from '../../../kernel/clock';
import { BadRequest, Forbidden, NotFound } from '../../../kernel/errors';
import { parseId } from '../../../kernel/ids';
import { isSameSecret } from '../../../kernel/secret-token';
import { Public } from '../../../platform/access/access.decorators';
import { text } from '../../../platform/http/field-rules';
import { QueryParameter } from '../../../platform/http/query-parameter';
import { RawBody, type ReadBody } from '../../../platform/http/raw-body.decorator';
import { CountsItself } from '../../../platform/rate-limiting/counts-itself.decorator';
import { RateLimits } from '../../../platform/rate-limiting/rate-limits';
import { type Connection, ConnectionRepository } from '../application/connection';
import { WhatsAppIntake } from './whatsapp-intake';

const SIGNATURE = /^sha256=[0-9a-f]{64}$/;

class VerificationQuery {
  @QueryParameter({ rule: text(100), presence: 'required' }) 'hub.mode'!: string;
  @QueryParameter({ rule: text(500), presence: 'required' }) 'hub.verify_token'!: string;
  @QueryParameter({ rule: text(500), presence: 'required' }) 'hub.challenge'!: string;
}

/** Receives statuses and incoming messages from WhatsApp. The path names the connection. */
@Controller('channels/whatsapp')
@ApiExcludeController()
@Public()
export class WhatsAppCallbackController {
  constructor(
    private readonly connections: ConnectionRepository,
    private readonly intake: WhatsAppIntake,
    private readonly rateLimits: RateLimits,
    private readonly clock: Clock,
  ) {}

  /** Called once, when the address is entered at Meta: echoes the challenge to a caller that knows the token. */
  @Get(':connection')
  async verify(
    @Param('connection') id: string,
    @Query() query: VerificationQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const connection = await this.connection(id, request);
    const isRight =
      query['hub.mode'] === 'subscribe' && isSameSecret(query['hub.verify_token'], connection.verifyToken);
    if (!isRight) return this.refuse(request, 'The verify token is not the one of this connection.');
    await this.connections.markVerified(connection.ref, this.clock.now());
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.type('text/plain').send(query['hub.challenge']);
  }

  /**
   * Responds after everything is stored: WhatsApp repeats a notification that failed, and repeats change nothing. All
   * notifications come from a few addresses, so only failures count against their rate limit.
   */
  @Post(':connection')
  @HttpCode(200)
  @RawBody()
  @CountsItself()
  async notify(@Param('connection') id: string, @Req() request: Request): Promise<{ received: true }> {
    const connection = await this.connection(id, request);
    const signature = request.headers['x-hub-signature-256'];
    if (typeof signature !== 'string' || !SIGNATURE.test(signature)) {
      return this.refuse(request, 'The header X-Hub-Signature-256 must hold sha256= and the signature.');
    }
    const bytes = await (request.body as ReadBody)();
    if (!isSigned(bytes, signature, connection.appSecret)) {
      return this.refuse(request, 'The signature is not that of this connection’s app secret.');
    }
    // Notifications and their updates wait in queues of their own, for seconds when there are many.
    request.res!.leaveTurn?.();
    if (!(await this.intake.take(connection, bytes))) {
      throw new BadRequest('The body is not a notification: a JSON object of usual size.');
    }
    await this.connections.markCallback(connection.ref, this.clock.now());
    return { received: true };
  }

  private async connection(text: string, request: Request): Promise<Connection> {
    const id = parseId('chan', text);
    const connection = id && (await this.connections.findById(id));
    if (connection) return connection;
    await this.rateLimits.countAddress(request);
    throw new NotFound('channel');
  }

  /** Counts requests without a valid signature by their address. Signed requests are never refused by this limit. */
  private async refuse(request: Request, reason: string): Promise<never> {
    await this.rateLimits.countAddress(request);
    throw new Forbidden(reason);
  }
}

function isSigned(bytes: Buffer, signature: string, appSecret: string): boolean {
  return isSameSecret(signature, `sha256=${createHmac('sha256', appSecret).update(bytes).digest('hex')}`);
}
