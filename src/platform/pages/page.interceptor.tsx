import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import { concatMap, lastValueFrom, type Observable, of } from 'rxjs';
import { waitForExpiry } from '../../kernel/short-lived-cache';
import { UnitOfWork } from '../../kernel/unit-of-work';
import {
  type EarlierSubmission,
  FormSubmissions,
  type Submission,
} from '../form-submissions/form-submissions';
import { RouteTable } from '../http/route-table';
import { WholeAnswer } from '../http/whole-answer';
import { AlreadySentPage } from './already-sent-page';
import { BrowserCookie } from './browser-cookie';
import { Download, HtmlPage, type PageAnswer } from './page-answer';
import { PageRenderer, type RenderedAnswer } from './page-renderer';
import { submissionOf } from './submission';

/**
 * Renders and sends what a handler of web pages returns. A form's changes and the record of its result are one transaction, so that
 * the same form sent again, at the same time or later, shows the same result and changes nothing more.
 */
@Injectable()
export class PageInterceptor implements NestInterceptor<PageAnswer, WholeAnswer> {
  constructor(
    private readonly renderer: PageRenderer,
    private readonly submissions: FormSubmissions,
    private readonly cookie: BrowserCookie,
    private readonly unitOfWork: UnitOfWork,
    private readonly routes: RouteTable,
  ) {}

  async intercept(
    context: ExecutionContext,
    next: CallHandler<PageAnswer>,
  ): Promise<Observable<WholeAnswer>> {
    const request = context.switchToHttp().getRequest<Request>();
    const { isRepeatable } = this.routes.of(context);
    const submission = isRepeatable ? undefined : submissionOf(request, this.cookie.read(request));
    if (submission) return of(this.whole(await this.once(request, submission, next)));
    return next.handle().pipe(concatMap((answer) => this.answer(request, answer)));
  }

  private async answer(request: Request, answer: PageAnswer): Promise<WholeAnswer> {
    if (!(answer instanceof Download)) return this.whole(this.renderer.render(request, answer));
    await answer.send(this.renderer.protect(request.res!));
    return new WholeAnswer(() => undefined);
  }

  private once(
    request: Request,
    submission: Submission,
    next: CallHandler<PageAnswer>,
  ): Promise<RenderedAnswer> {
    return this.unitOfWork.run(async () => {
      const earlier = await this.submissions.begin(submission);
      if (earlier) {
        // The first one may still wait for this after its commit: a page that says "revoked" is never early.
        this.unitOfWork.afterCommit(() => {
          request.res!.leaveTurn?.();
          return waitForExpiry();
        });
        return this.repeated(request, earlier);
      }
      const rendered = this.renderer.render(request, await lastValueFrom(next.handle()));
      if (isError(rendered)) await this.submissions.forget(submission);
      else await this.submissions.finish(submission, JSON.stringify(rendered));
      return rendered;
    });
  }

  private repeated(request: Request, { hasSameContent, result }: EarlierSubmission): RenderedAnswer {
    const kept = result === undefined ? undefined : (JSON.parse(result) as RenderedAnswer);
    if (kept && hasSameContent) return kept;
    const next = kept && 'path' in kept ? kept.path : '/';
    return this.renderer.render(request, new HtmlPage(<AlreadySentPage next={next} />, 409));
  }

  private whole(rendered: RenderedAnswer): WholeAnswer {
    return new WholeAnswer((response) => this.renderer.send(response, rendered));
  }
}

/** The page shows what is wrong; a form without its mistakes is another one. */
function isError(rendered: RenderedAnswer): boolean {
  return 'html' in rendered && rendered.status >= 400;
}
