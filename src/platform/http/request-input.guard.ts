import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { unknownField } from './input-problems';
import { decodeQuery, hasBody, isForm, readForm, readJsonObject, readRawBody } from './request-input';
import { RouteTable } from './route-table';
import { refuseIfAny, validate } from './validation.pipe';
import { UnknownPathController } from './unknown-path.controller';

const BODY_METHODS = new Set(['POST', 'PATCH', 'PUT']);

/**
 * Decodes query and body. It is the last guard, so that a malformed request of an unknown caller is a 401, and of a
 * known one a counted 400. (A guard and no interceptor: one global interceptor costs every request a fifth of its time.)
 */
@Injectable()
export class RequestInputGuard implements CanActivate {
  constructor(private readonly routes: RouteTable) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    // There whatever comes along changes nothing: the answer is that there is nothing.
    if (context.getClass() === UnknownPathController) return true;
    const request = context.switchToHttp().getRequest<Request>();
    const route = this.routes.of(context);
    const query = decodeQuery(request.originalUrl);
    if (route.access.kind === 'page') {
      // People follow links that others have added parameters to: a page takes what it knows.
      request.query = query;
      request.body = request.method === 'POST' ? await readForm(request) : {};
      return true;
    }
    if (route.takesRawBody) {
      request.query = query;
      request.body = await readRawBody(request);
      return true;
    }
    if (route.takesFormOrJson) {
      request.query = query;
      request.body = isForm(request) ? await readForm(request) : await readJsonObject(request);
      return true;
    }
    if (!route.takesIfMatch && request.headers['if-match'] !== undefined && request.method !== 'GET')
      refuseIfAny([{ field: 'If-Match', message: 'can’t be used here: leave it out' }]);
    const expectsBody = BODY_METHODS.has(request.method) && (route.needsBody || hasBody(request));
    const body = expectsBody ? await readJsonObject(request) : {};

    const unknown = [
      ...(route.takesQuery ? [] : Object.keys(query)),
      ...(route.bodyType ? [] : Object.keys(body)),
    ].map((name) => unknownField(name || '""'));
    // Told together with what is wrong with the body, so that one answer names everything there is to mend.
    if (unknown.length)
      refuseIfAny([...unknown, ...(route.bodyType ? validate(route.bodyType, body).problems : [])]);

    request.query = query;
    request.body = body;
    return true;
  }
}
