import { createHmac } from 'node:crypto';
import { Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Clock } from '../../../kernel/clock';
import { BadRequest, Forbidden, NotFound } from '../../../kernel/errors';
import { parseId } from '../../../kernel/ids';
import { isSameSecret } from '../../../kernel/secret-token';
import { Public } from '../../../platform/access/access.decorators';
import { Field } from '../../../platform/http/field';
import { text } from '../../../platform/http/field-rules';
import { parameter } from '../../../platform/http/parameter-rules';
import { RawBody, type ReadBody } from '../../../platform/http/raw-body.decorator';
import { ApiExcludeController } from '../../../platform/openapi/decorators';
import { CountsItself } from '../../../platform/rate-limiting/counts-itself.decorator';
import { RateLimits } from '../../../platform/rate-limiting/rate-limits';
import { type Connection, ConnectionRepository } from '../application/connection';
import { WhatsAppIntake } from './whatsapp-intake';

const SIGNATURE = /^sha256=[0-9a-f]{64}$/;

class VerificationQuery {
  @Field({ rule: parameter(text(100)), presence: 'required', schema: { type: String } })
  'hub.mode'!: string;
  @Field({ rule: parameter(text(500)), presence: 'required', schema: { type: String } })
  'hub.verify_token'!: string;
  @Field({ rule: parameter(text(500)), presence: 'required', schema: { type: String } })
  'hub.challenge'!: string;
}

/** Receives WhatsApp's notifications of statuses and messages. The path names the connection. */
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

  /** Verification by Meta, once, when the address is entered there. */
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
   * Answers when everything is stored. After a failure, WhatsApp repeats the notification, and updates that are stored
   * already change nothing. All workspaces' notifications come from a few addresses, so rate limits count only refused ones.
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

  /** Counts unverified requests by their address. Signed notifications are never limited by that. */
  private async refuse(request: Request, reason: string): Promise<never> {
    await this.rateLimits.countAddress(request);
    throw new Forbidden(reason);
  }
}

function isSigned(bytes: Buffer, signature: string, appSecret: string): boolean {
  return isSameSecret(signature, `sha256=${createHmac('sha256', appSecret).update(bytes).digest('hex')}`);
}
