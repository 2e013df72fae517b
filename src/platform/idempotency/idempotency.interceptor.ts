import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { lastValueFrom, type Observable, of } from 'rxjs';
import { ValidationFailed } from '../../kernel/errors';
import { UnitOfWork } from '../../kernel/unit-of-work';
import { cutAtMaxDepth } from '../http/input-problems';
import { countHeader } from '../http/request-input';
import { canonicalJson } from './canonical-json';
import { IdempotencyKeys, type IdempotentRequest } from './idempotency-keys';

const HEADER = 'idempotency-key';
const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;

/**
 * Handles a POST with an Idempotency-Key in one transaction with the record of its answer: whenever the process dies, both
 * are stored or neither. An error rolls the record back, so that only successes are kept.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly keys: IdempotencyKeys,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = idempotentRequest(http.getRequest<Request>());
    return request ? of(await this.once(request, http.getResponse<Response>(), next)) : next.handle();
  }

  private async once(request: IdempotentRequest, response: Response, next: CallHandler): Promise<unknown> {
    const [kept, body] = await this.unitOfWork.run(async () => {
      const earlier = await this.keys.begin(request);
      if (earlier) return [earlier, earlier.body];
      const body: unknown = await lastValueFrom(next.handle(), { defaultValue: undefined });
      await this.keys.finish(request, { body, ...markedOn(response) });
      return [undefined, body];
    });
    if (kept) {
      response.setHeader('Idempotency-Replayed', 'true');
      // Only answers of 201 have it, and some routes answer 200 otherwise.
      if (kept.location) response.status(201).setHeader('Location', kept.location);
      if (kept.isSecret) response.setHeader('Cache-Control', 'no-store');
    }
    return body;
  }
}

function markedOn(response: Response): { location?: string; isSecret: boolean } {
  const location = response.getHeader('Location') as string | undefined;
  return { isSecret: response.getHeader('Cache-Control') === 'no-store', ...(location && { location }) };
}

/** Undefined for a request that takes effect every time: without a key, or without a credential. */
function idempotentRequest(request: Request): IdempotentRequest | undefined {
  const { principal, method, path, query } = request;
  const body = request.body as object;
  const key = request.headers[HEADER] as string | undefined;
  if (key === undefined || !principal) return undefined;
  if (countHeader(request, HEADER) > 1) throw refusal('must be sent once');
  if (!VISIBLE_ASCII.test(key)) throw refusal('must be 1 to 255 visible ASCII characters');
  return {
    caller: principal,
    name: `${method} ${path} ${key}`,
    // What is nested more deeply could overflow the stack, and is refused.
    input: canonicalJson([query, cutAtMaxDepth(body)]),
  };
}

function refusal(message: string): ValidationFailed {
  return new ValidationFailed({ field: 'Idempotency-Key', message });
}
