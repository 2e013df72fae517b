import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { AccessGuard } from '../access/access.guard';
import { ScopeGuard } from '../access/scope.guard';
import { RateLimitGuard } from '../rate-limiting/rate-limit.guard';
import { AnswersUnderWay } from './answers-under-way';
import { BodyBudget } from './body-budget';
import { ConnectionShares } from './connection-shares';
import { ErrorFilter } from './error.filter';
import { FileBodies } from './file-bodies';
import { FrontDoor } from './front-door';
import { RequestInputGuard } from './request-input.guard';
import { RequestTurns } from './request-turns';
import { RouteTable } from './route-table';
import { TextFiles } from './text-files';
import { ValidationPipe } from './validation.pipe';

/** Nest runs guards in the order in which they are listed. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_GUARD, useClass: RateLimitGuard },
    { provide: APP_GUARD, useClass: ScopeGuard },
    { provide: APP_GUARD, useClass: RequestInputGuard },
    { provide: APP_PIPE, useClass: ValidationPipe },
    { provide: APP_FILTER, useClass: ErrorFilter },
    AnswersUnderWay,
    BodyBudget,
    ConnectionShares,
    FileBodies,
    FrontDoor,
    RequestTurns,
    RouteTable,
    TextFiles,
  ],
  exports: [FileBodies, RequestTurns, RouteTable, TextFiles],
})
export class HttpModule {}
