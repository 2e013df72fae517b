import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import { map, type Observable } from 'rxjs';
import { WholeAnswer } from '../http/whole-answer';
import type { PageAnswer } from './page-answer';
import { PageRenderer } from './page-renderer';

/** Renders and sends what a handler of web pages returns. */
@Injectable()
export class PageInterceptor implements NestInterceptor<PageAnswer, WholeAnswer> {
  constructor(private readonly renderer: PageRenderer) {}

  intercept(context: ExecutionContext, next: CallHandler<PageAnswer>): Observable<WholeAnswer> {
    const request = context.switchToHttp().getRequest<Request>();
    return next.handle().pipe(
      map((answer) => {
        const rendered = this.renderer.render(request, answer);
        return new WholeAnswer((response) => this.renderer.send(response, rendered));
      }),
    );
  }
}
