import {
  applyDecorators,
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  type Type,
  UseFilters,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request } from 'express';
import { DeclareAccess } from '../access/access.decorators';
import type { Query } from '../http/request-input';
import { CountsItself } from '../rate-limiting/counts-itself.decorator';
import { CsrfGuard } from './csrf.guard';
import { FormInput } from './form-input';
import { PageErrorFilter } from './page-error.filter';
import { PageInterceptor } from './page.interceptor';

/**
 * A controller of web pages: its handlers return a `PageAnswer`, its POST routes take forms, its errors are pages too, and it
 * isn't part of the API.
 * `visitor` guards find out who comes before their form is looked at, and count them; without any, visitors count by
 * their address. `permission` guards find out what they may do after it.
 */
export function Pages({
  visitor = [],
  permission = [],
}: { visitor?: Type<CanActivate>[]; permission?: Type<CanActivate>[] } = {}): ClassDecorator {
  return applyDecorators(
    DeclareAccess({ kind: 'page' }),
    ...(visitor.length ? [CountsItself()] : []),
    ApiExcludeController(),
    UseFilters(PageErrorFilter),
    UseInterceptors(PageInterceptor),
    UseGuards(...visitor, CsrfGuard, ...permission),
  );
}

/** What was typed into the form that a POST route is called with. */
export const Submitted = createParamDecorator(
  (_: unknown, context: ExecutionContext): FormInput =>
    new FormInput(context.switchToHttp().getRequest<Request>().body as Query),
);
