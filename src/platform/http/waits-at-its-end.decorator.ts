import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import type { Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { UnitOfWork } from '../../kernel/unit-of-work';

/** Gives the request's turn back once its changes are committed, before the work that follows the commit. */
@Injectable()
class LeaveTurnAtCommit implements NestInterceptor {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const response = context.switchToHttp().getResponse<Response>();
    const answer = this.unitOfWork.run(() => {
      this.unitOfWork.afterCommit(() => response.leaveTurn?.());
      return lastValueFrom(next.handle());
    });
    return from(answer);
  }
}

/**
 * For routes that wait after their commit until no instance uses what it read before. Others could not be worked on meanwhile
 * if the request kept its turn.
 */
export const WaitsAtItsEnd = (): MethodDecorator => applyDecorators(UseInterceptors(LeaveTurnAtCommit));
