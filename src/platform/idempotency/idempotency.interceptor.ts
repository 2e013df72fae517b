import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { lastValueFrom, type Observable, of } from 'rxjs';
import { ValidationFailed } from '../../kernel/errors';
import { UnitOfWork } from '../../kernel/unit-of-work';
import { structuralProblems } from '../http/input-problems';
import { countHeader } from '../http/request-input';
import { canonicalJson } from './canonical-json';
import { IdempotencyKeys, type OneTimeRequest } from './idempotency-keys';

const HEADER = 'idempotency-key';
const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;

/**
 * Does what a POST with an Idempotency-Key asks for in one transaction with the record of its answer: both are there, or
 * neither, whenever the process dies. What is thrown takes the record back, so that only successes are kept.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly keys: IdempotencyKeys,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = oneTimeRequest(http.getRequest<Request>());
    return request ? of(await this.once(request, http.getResponse<Response>(), next)) : next.handle();
  }

  private async once(request: OneTimeRequest, response: Response, next: CallHandler): Promise<unknown> {
    const [kept, body] = await this.unitOfWork.run(async () => {
      const earlier = await this.keys.begin(request);
      if (earlier) return [earlier, earlier.body];
      const body: unknown = await lastValueFrom(next.handle(), { defaultValue: undefined });
      await this.keys.finish(request, { body, ...markedOn(response) });
      return [undefined, body];
    });
    if (kept) {
      response.setHeader('Idempotency-Replayed', 'true');
      if (kept.location) response.setHeader('Location', kept.location);
      if (kept.isSecret) response.setHeader('Cache-Control', 'no-store');
    }
    return body;
  }
}

function markedOn(response: Response): { location?: string; isSecret: boolean } {
  const location = response.getHeader('Location') as string | undefined;
  return { isSecret: response.getHeader('Cache-Control') === 'no-store', ...(location && { location }) };
}

/** Undefined when it may be done again, as often as it comes: without a key, or when the caller is nobody in particular. */
function oneTimeRequest(request: Request): OneTimeRequest | undefined {
  const { principal, method, path, query } = request;
  const body = request.body as object;
  const key = request.headers[HEADER] as string | undefined;
  if (key === undefined || !principal) return undefined;
  if (countHeader(request, HEADER) > 1) throw refusal('must be sent once');
  if (!VISIBLE_ASCII.test(key)) throw refusal('must be 1 to 255 visible ASCII characters');
  // Validation refuses it; to compare it could take a stack without end.
  if (structuralProblems(query).length + structuralProblems(body).length > 0) return undefined;
  return {
    caller: principal,
    name: `${method} ${path} ${key}`,
    input: canonicalJson([query, body]),
  };
}

function refusal(message: string): ValidationFailed {
  return new ValidationFailed({ field: 'Idempotency-Key', message });
}
