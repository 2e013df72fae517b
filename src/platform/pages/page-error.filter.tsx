import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type ErrorCode, Overloaded, RateLimited } from '../../kernel/errors';
import { logIfInternal, STATUS, toPublicError } from '../http/error.filter';
import { Logger } from '../logging/logger';
import { ErrorPage } from './components/error-page';
import { StaleForm } from './csrf.guard';
import { HtmlPage, Redirect } from './page-answer';
import { PageRenderer, Redirection } from './page-renderer';

const TITLES: Record<ErrorCode, string> = {
  bad_request: 'That didn’t arrive in one piece',
  unauthorized: 'Please sign in',
  forbidden: 'You may not do this',
  not_found: 'There is nothing here',
  validation_error: 'Something is wrong with that',
  rate_limit: 'Too many tries',
  server_error: 'Something went wrong on our side',
};

/** Turns whatever was thrown into a page that says what to do next. */
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
    const title = thrown instanceof StaleForm ? 'Please load that page again' : TITLES[error.code];
    const page = (
      <ErrorPage
        title={title}
        message={error.message}
        requestId={error.code === 'server_error' ? request.id : undefined}
      />
    );
    return new HtmlPage(page, STATUS[error.code]);
  }
}
