import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { ValidationFailed } from '../../kernel/errors';
import { unknownField } from './input-problems';
import { decodeQuery, hasBody, readJsonObject } from './request-input';
import { RouteTable } from './route-table';

const BODY_METHODS = new Set(['POST', 'PATCH', 'PUT']);

/**
 * Decodes query and body. It stands behind the guards, so that a malformed request of an unknown caller is a 401,
 * and of a known one a counted 400.
 */
@Injectable()
export class RequestInputInterceptor implements NestInterceptor {
  constructor(private readonly routes: RouteTable) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<Request>();
    const route = this.routes.of(context);
    const query = decodeQuery(request.originalUrl);
    const expectsBody = BODY_METHODS.has(request.method) && (route.needsBody || hasBody(request));
    const body = expectsBody ? await readJsonObject(request) : {};

    const unknown = [
      ...(route.takesQuery ? [] : Object.keys(query)),
      ...(route.takesBody ? [] : Object.keys(body)),
    ].map((name) => unknownField(name || '""'));
    if (unknown[0]) throw new ValidationFailed(unknown[0], ...unknown.slice(1));

    request.query = query;
    request.body = body;
    return next.handle();
  }
}
