/**
 * The public surface for other teams' modules: what is exported here changes by the rules of semantic versioning,
 * everything else may change at any time. docs/extending.md shows it at work.
 */
export type { Composition, Override } from './app.module';
export { createApp, type AppOptions } from './create-app';
export { startService } from './service';
export type { Feature } from './platform/feature';

export { type Actor, actorOf, type Person } from './kernel/actor';
export { Clock } from './kernel/clock';
export { type DomainEvent, domainEvent } from './kernel/domain-event';
export {
  BadRequest,
  type FieldProblem,
  Forbidden,
  NotFound,
  Unauthorized,
  ValidationFailed,
} from './kernel/errors';
export { fromUuid, type Id, newId, parseId, toUuid } from './kernel/ids';
export { type Mail, Mailer } from './kernel/mailer';
export { type Page, pageOf, type PageRequest, type Slice } from './kernel/page';
export type { Credential, Identity, Mode, Principal, WorkspaceRef } from './kernel/principal';
export { Precondition } from './kernel/precondition';
export { UnitOfWork } from './kernel/unit-of-work';

export { type AuditActionWords, AuditActions, type AuditEntry, AuditLog } from './modules/audit-log';

export {
  type ChannelName,
  MessageChannel,
  type MessageError,
  type OutgoingContent,
  type OutgoingMessage,
  type SendOutcome,
  type Template,
  type TemplateUse,
} from './modules/messages';

export { Caller, Public, RequireCredential, RequireScope } from './platform/access/access.decorators';
export {
  type CredentialVerifier,
  CredentialVerifiers,
  type Verification,
} from './platform/access/credential-verifier';
export { Field, type FieldOptions } from './platform/http/field';
export * as fieldRules from './platform/http/field-rules';
export { IfMatch } from './platform/http/if-match.decorator';
export { OptionalBody } from './platform/http/optional-body.decorator';
export { PageQuery, toPageRequest } from './platform/http/page-query';
export { parameter } from './platform/http/parameter-rules';
export { Logger } from './platform/logging/logger';
export { Describe, DescribeGroup, DescribeList } from './platform/openapi/describe';
export { withEvents } from './platform/outbox/with-events';
export { Database } from './platform/persistence/database';
export { EntityStatements } from './platform/persistence/entity-statements';
export { idColumn, workspaceColumns } from './platform/persistence/id-column';
export { pageQuery, type PageRow, Parameters, type SortColumn, toSlice } from './platform/persistence/keyset';
export type { Statement } from './platform/persistence/statement';
export { TypeOrmUnitOfWork } from './platform/persistence/typeorm-unit-of-work';
export { type RateState, RateLimiter } from './platform/rate-limiting/rate-limiter';
