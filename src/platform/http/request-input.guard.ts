import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { BodyBudget } from './body-budget';
import { FILE_FORM } from './file-body.decorator';
import { beginFileForm } from './file-form';
import { unknownField } from './input-problems';
import { MAX_RAW_BODY_BYTES, type ReadBody } from './raw-body.decorator';
import {
  decodeQuery,
  expectForm,
  expectJson,
  expectType,
  hasBody,
  isForm,
  parseForm,
  parseJsonObject,
  type Query,
} from './request-input';
import { RequestTurns } from './request-turns';
import { type Route, RouteTable } from './route-table';
import { refuseIfAny, validate } from './validation.pipe';
import { UnknownPathController } from './unknown-path.controller';

/** Waits for the turn of a request whose bytes are there, before they are parsed. */
type TurnOf = (bytes: number) => Promise<void>;

const BODY_METHODS = new Set(['POST', 'PATCH', 'PUT']);

/**
 * Decodes query and body, when it is the request's turn. It is the last guard, so that a malformed request of an unknown caller is a 401, and of a
 * known one a counted 400. (A guard and no interceptor: one global interceptor costs every request a fifth of its time.)
 */
@Injectable()
export class RequestInputGuard implements CanActivate {
  constructor(
    private readonly routes: RouteTable,
    private readonly bodies: BodyBudget,
    private readonly turns: RequestTurns,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    // There whatever comes along changes nothing: the answer is that there is nothing.
    if (context.getClass() === UnknownPathController) return true;
    const request = context.switchToHttp().getRequest<Request>();
    const route = this.routes.of(context);
    const turn: TurnOf = (bytes) => this.turns.enter(request, route, bytes);
    const query = decodeQuery(request.originalUrl);
    if (route.access.kind === 'page') {
      // People follow links that others have added parameters to: a page takes what it knows.
      request.query = query;
      request.body =
        request.method === 'POST' ? await this.readPageForm(request, route, turn) : (await turn(0), {});
      return true;
    }
    if (route.takesRawBody) {
      request.query = query;
      request.body = (() => this.bytesOf(request, turn, MAX_RAW_BODY_BYTES)) satisfies ReadBody;
      return true;
    }
    if (route.takesFile) {
      const type = expectType(request, route.takesFile);
      refuseIfAny(Object.keys(query).map(unknownField));
      request.query = query;
      request.body = {};
      if (type === FILE_FORM) refuseIfAny(Object.keys(await beginFileForm(request)).map(unknownField));
      return true;
    }
    if (route.takesFormOrJson) {
      request.query = query;
      request.body = isForm(request)
        ? await this.readForm(request, turn)
        : await this.readJson(request, turn);
      return true;
    }
    if (!route.takesIfMatch && request.headers['if-match'] !== undefined && request.method !== 'GET')
      refuseIfAny([{ field: 'If-Match', message: 'can’t be used here: leave it out' }]);
    const expectsBody = BODY_METHODS.has(request.method) && (route.needsBody || hasBody(request));
    const body = expectsBody ? await this.readJson(request, turn) : (await turn(0), {});

    const unknown = [
      ...(route.takesQuery ? [] : Object.keys(query)),
      ...(route.bodyType ? [] : Object.keys(body)),
    ].map((name) => unknownField(name || '""'));
    // Told together with what is wrong with the body, so that one answer names everything there is to mend.
    if (unknown.length)
      refuseIfAny([...unknown, ...(route.bodyType ? validate(route.bodyType, body).problems : [])]);

    request.query = route.knownParameters ? onlyKnown(query, route.knownParameters) : query;
    request.body = body;
    return true;
  }

  private async readJson(request: Request, turn: TurnOf): Promise<object> {
    expectJson(request);
    return parseJsonObject(await this.bytesOf(request, turn));
  }

  private readPageForm(request: Request, route: Route, turn: TurnOf): Promise<Query> {
    const hasFile = route.takesFile !== undefined && !isForm(request);
    return hasFile ? beginFileForm(request) : this.readForm(request, turn);
  }

  private async readForm(request: Request, turn: TurnOf): Promise<Query> {
    expectForm(request);
    return parseForm(await this.bytesOf(request, turn));
  }

  private async bytesOf(request: Request, turn: TurnOf, max?: number): Promise<Buffer> {
    const bytes = await this.bodies.read(request, max);
    await turn(bytes.length);
    return bytes;
  }
}

function onlyKnown(query: Query, known: readonly string[]): Query {
  return Object.fromEntries(Object.entries(query).filter(([name]) => known.includes(name)));
}
