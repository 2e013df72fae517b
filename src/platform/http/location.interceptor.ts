import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type Observable, tap } from 'rxjs';
import { RouteTable } from './route-table';

/** Sets `Location` on a 201 when a GET route reads the created object below the same path, unless the handler set it. */
@Injectable()
export class LocationInterceptor implements NestInterceptor {
  constructor(private readonly routes: RouteTable) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (!this.routes.createsReadable(this.routes.of(context))) return next.handle();
    const http = context.switchToHttp();
    const [{ path }, response] = [http.getRequest<Request>(), http.getResponse<Response>()];
    return next.handle().pipe(
      tap((body: { id?: unknown } | null | undefined) => {
        const id = body?.id;
        if (response.statusCode !== 201 || typeof id !== 'string' || response.hasHeader('Location')) return;
        response.setHeader('Location', `${path}/${encodeURIComponent(id)}`);
      }),
    );
  }
}
