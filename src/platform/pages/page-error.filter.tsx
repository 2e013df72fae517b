import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type ErrorCode, Overloaded, type PublicError, RateLimited } from '../../kernel/errors';
import { logIfInternal, STATUS, toPublicError } from '../http/error.filter';
import { Logger } from '../logging/logger';
import { ErrorPage } from './components/error-page';
import { StaleForm } from './csrf.guard';
import { durationInWords } from './duration';
import { HtmlPage, Redirect } from './page-answer';
import { PageRenderer, Redirection } from './page-renderer';

const TITLES: Record<ErrorCode, string> = {
  bad_request: 'Your browser sent an incomplete request',
  unauthorized: 'Please sign in',
  forbidden: 'You don’t have access',
  not_found: 'Page not found',
  validation_error: 'Your request is invalid',
  rate_limit: 'Please wait',
  server_error: 'Something went wrong on our side',
};

/** Renders errors as pages that say what to do next. */
@Catch()
export class PageErrorFilter implements ExceptionFilter {
  constructor(
    private readonly logger: Logger,
    private readonly renderer: PageRenderer,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const [request, response] = [http.getRequest<Request>(), http.getResponse<Response>()];
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const answer =
      thrown instanceof Redirection ? new Redirect(thrown.path) : this.errorPage(thrown, request, response);
    this.renderer.send(response, this.renderer.render(request, answer));
  }

  private errorPage(thrown: unknown, request: Request, response: Response): HtmlPage {
    const error = toPublicError(thrown);
    logIfInternal(this.logger, request, error, thrown);
    if (error instanceof RateLimited || error instanceof Overloaded) {
      response.setHeader('Retry-After', error.retryAfterSeconds);
    }
    const title = thrown instanceof StaleForm ? 'This form has expired' : TITLES[error.code];
    const page = (
      <ErrorPage
        title={title}
        message={messageOf(error)}
        requestId={error.code === 'server_error' ? request.id : undefined}
      />
    );
    return new HtmlPage(page, STATUS[error.code]);
  }
}

/** The API's message counts seconds, which is precise for programs and hard to read for people. */
function messageOf(error: PublicError): string {
  if (!(error instanceof RateLimited)) return error.message;
  return `Too many attempts. Try again in ${durationInWords(error.retryAfterSeconds)}.`;
}
