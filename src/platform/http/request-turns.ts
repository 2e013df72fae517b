import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { BadRequest } from '../../kernel/errors';
import { AnswersUnderWay } from './answers-under-way';
import { FairTurns, type Kind, type Turn, type TurnTaker } from './fair-turns';
import { kindOf } from './request-kind';
import { ownerOf, turnTakerOf } from './request-owner';
import type { Route } from './route-table';

const HEALTH_PATHS = /^\/health(\/|$)/;
/** A request whose client went away is worked on to its end all the same, and its turn is held for about as long. */
const ABANDONED_MS = 1000;

/** Lets requests be worked on in turns. Health checks are about the process, and don't wait for it. */
@Injectable()
export class RequestTurns {
  constructor(
    private readonly turns: FairTurns,
    private readonly answers: AnswersUnderWay,
  ) {}

  /**
   * Resolves when it is the request's turn, which it has until its answer is ready. Call it when the body's bytes are
   * there, and before they are parsed: a slow upload holds no turn.
   *
   * @throws RateLimited if the client leaves its answers unread, or too many of its requests wait
   */
  async enter(request: Request, route: Route, bodyBytes: number): Promise<void> {
    if (HEALTH_PATHS.test(request.path)) return;
    await this.take(request, turnTakerOf(request, route), kindOf(request, route, bodyBytes), bodyBytes);
    const response = request.res!;
    response.once('close', () => {
      if (response.turn) setTimeout(() => response.leaveTurn?.(), ABANDONED_MS).unref();
    });
  }

  /**
   * Resolves when it is the turn of a large request again that left its turn between parts of its answer.
   *
   * @throws RateLimited as `enter` does, which a later call may not
   */
  enterAgain(request: Request): Promise<void> {
    return this.take(request, ownerOf(request), 'large', 0);
  }

  private async take(request: Request, taker: TurnTaker, kind: Kind, bytes: number): Promise<void> {
    const { caller } = ownerOf(request);
    this.answers.refuseIfUnread(caller);
    const isWanted = () => !request.socket.destroyed;
    const entered = this.turns.enter(taker, { kind, bytes, isWanted });
    request.res!.turn = entered instanceof Promise ? await this.waitFor(entered, request) : entered;
    try {
      if (!isWanted()) throw new BadRequest('The client went away before its turn.');
      // Others of the same client may have been answered since, and not been read.
      this.answers.refuseIfUnread(caller);
    } catch (error) {
      request.res!.leaveTurn?.();
      throw error;
    }
  }

  private async waitFor(turn: Promise<Turn>, request: Request): Promise<Turn> {
    const since = performance.now();
    const taken = await turn;
    request.waitedMs = performance.now() - since;
    return taken;
  }
}
