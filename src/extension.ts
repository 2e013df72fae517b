/**
 * The public surface for other teams' modules: its exports change by the rules of semantic versioning, everything else may
 * change at any time. docs/extending.md explains it, and examples/loyalty is built on it alone.
 */

import './platform/one-copy';
import './platform/tracing/start';

// ── starting the service with modules of one's own ────────────────────────────────────────────────────────────────
export type { Composition, Override } from './app.module';
export { createApp, type AppOptions } from './create-app';
export { exitWithMessage } from './service/exit-with-message';
export { type OpenDatabase, openDatabase } from './service/open-database';
export type { Feature } from './platform/feature';
export { Configuration } from './platform/config/configuration';
export { loadConfiguration } from './platform/config/load-configuration';
export { addressOf } from './platform/config/public-address';
export { createLogger } from './platform/logging/logger';
export { startService } from './service/start-service';

// ── the language that all modules speak ───────────────────────────────────────────────────────────────────────────
export { type ActingRef, type Actor, actorOf, OPERATOR, type Person } from './kernel/actor';
export type { Cause } from './kernel/cause';
export { Clock } from './kernel/clock';
export { type DomainEvent, domainEvent, type RecordedEvent } from './kernel/domain-event';
export { type EventType, readableWith } from './kernel/event-types';
export {
  BadRequest,
  type FieldProblem,
  Forbidden,
  NotFound,
  Unauthorized,
  ValidationFailed,
} from './kernel/errors';
export {
  type EventId,
  fromUuid,
  type Id,
  type LeadId,
  newId,
  parseId,
  toUuid,
  type UserId,
  type WorkspaceId,
} from './kernel/ids';
export { type MailOptions, MailQueue } from './kernel/mail-queue';
export { type Mail, Mailer, type MailReach, MailRefused } from './kernel/mailer';
export { type Page, pageOf, type PageRequest, type Slice } from './kernel/page';
export type { Credential, Identity, Mode, Principal, WorkspaceRef } from './kernel/principal';
export { Precondition } from './kernel/precondition';
export type { Role } from './kernel/role';
export { foldText } from './kernel/text';
export { timeOfChange } from './kernel/time';
export {
  compareEntries,
  type TimelineActor,
  type TimelineEntry,
  type TimelinePart,
  TimelineParts,
  type TimelinePosition,
} from './kernel/timeline';
export { UnitOfWork } from './kernel/unit-of-work';

// ── what our own modules offer to others ──────────────────────────────────────────────────────────────────────────
export { Accounts, SignedInPerson } from './modules/accounts';
export { CreateApiKey } from './modules/api-keys';
export { type AuditActionWords, AuditActions, type AuditEntry, AuditLog } from './modules/audit-log';
export {
  BookVisit,
  type CalendarEventChange,
  type CalendarEventCreation,
  CalendarEventPolicies,
  type CalendarEventPolicy,
  type CalendarEventView,
  CalendarQueries,
  ChangeEvent,
  DayPage,
  DayPageParts,
  type DayPanel,
  type DayRequest,
  type EventChangeInput,
  type EventFilter,
  type EventInput,
  PlanEvent,
  type RefusedForm,
  type VisitInput,
} from './modules/calendar';
export {
  ChangeLead,
  CreateLead,
  type LeadAction,
  type LeadChange,
  type LeadCreation,
  type LeadFields,
  LeadPageParts,
  type LeadPanel,
  leadPath,
  LeadPolicies,
  type LeadPolicy,
  LeadQueries,
  type LeadView,
  type NewLead,
  type Outcome,
  type PanelRequest,
  type Stage,
  type StageKey,
  type StageRole,
  STAGES,
} from './modules/leads';
export {
  type ChannelName,
  MessageChannel,
  type MessageError,
  type MessageFilter,
  MessageQueries,
  type MessageView,
  type OutgoingContent,
  type OutgoingMessage,
  SendMessage,
  type SendOutcome,
  type Template,
  type TemplateUse,
} from './modules/messages';
export {
  ChangeProposal,
  DraftProposal,
  type NewProposal,
  type ProposalAction,
  type ProposalChange,
  type ProposalCreation,
  type ProposalFields,
  type ProposalFilter,
  ProposalPolicies,
  type ProposalPolicy,
  ProposalQueries,
  type ProposalView,
} from './modules/proposals';
export { CreateWorkspace } from './modules/workspaces';

// ── routes of the API ─────────────────────────────────────────────────────────────────────────────────────────────
export { Caller, Public, RequireCredential, RequireScope } from './platform/access/access.decorators';
export {
  type CredentialVerifier,
  CredentialVerifiers,
  type Verification,
} from './platform/access/credential-verifier';
export { Field, type FieldOptions, resourceFields } from './platform/http/field';
export * as fieldRules from './platform/http/field-rules';
export { IfMatch } from './platform/http/if-match.decorator';
export { OptionalBody } from './platform/http/optional-body.decorator';
export { type ListOptions, PageQuery, toPageRequest } from './platform/http/page-query';
export { PathId } from './platform/http/path-id';
export { QueryParameter } from './platform/http/query-parameter';
export { Describe, DescribeGroup, DescribeList } from './platform/openapi/describe';
export { Deprecated } from './platform/openapi/deprecated';
export { TIME } from './platform/openapi/common-responses';
export { type RateState, RateLimiter } from './platform/rate-limiting/rate-limiter';

// ── settings and secrets ──────────────────────────────────────────────────────────────────────────────────────────
export {
  ExtensionSettings,
  type SettingsDefinition,
  type WorkspaceSettings,
} from './platform/extension-settings/extension-settings';
export { type SealedColumn, SecretBox } from './platform/encryption/secret-box';

// ── tables and events ─────────────────────────────────────────────────────────────────────────────────────────────
export { type EventSubscriber, EventSubscribers } from './platform/outbox/event-subscribers';
export { createSubscription, dropSubscription } from './platform/outbox/subscription';
export { withEvents } from './platform/outbox/with-events';
export { Database } from './platform/persistence/database';
export type { EntityStatements } from './platform/persistence/entity-statements';
export { idColumn, workspaceColumns } from './platform/persistence/id-column';
export { readSlice } from './platform/persistence/keyset';
export { Parameters } from './platform/persistence/parameters';
export {
  latestTimes,
  type TimelineRow,
  timelineRows,
  type TimelineSource,
} from './platform/persistence/timeline-rows';
export { PostgresUnitOfWork } from './platform/persistence/unit-of-work';
export { IN_WORKSPACE, workspaceKey } from './platform/persistence/workspace-key';

// ── work beside the requests, and what operators see ──────────────────────────────────────────────────────────────
export { Metrics } from './platform/health/metrics';
export { type BackgroundJob, BackgroundJobs } from './platform/jobs/background-jobs';
export { PeriodicWork } from './platform/jobs/periodic-work';
export { WorkLoop } from './platform/jobs/work-loop';
export { describeError } from './platform/logging/describe-error';
export { Logger } from './platform/logging/logger';

// ── pages of the settings area ────────────────────────────────────────────────────────────────────────────────────
export {
  type AddedPage,
  type Area,
  InArea,
  isAdmin,
  listRequest,
  refOf,
  SettingsNavigation,
  SettingsPage,
  type SettingsPageProps,
  settingsPath,
  SettingsPages,
} from './modules/shell';
export { Badge } from './platform/pages/components/badge';
export { Button, ButtonLink } from './platform/pages/components/button';
export { CheckboxField } from './platform/pages/components/checkbox-field';
export { CheckboxGroup } from './platform/pages/components/checkbox-group';
export { type Column, DataTable } from './platform/pages/components/data-table';
export { DescriptionList } from './platform/pages/components/description-list';
export { Form } from './platform/pages/components/form';
export { Link, type Path } from './platform/pages/components/link';
export { Pagination } from './platform/pages/components/navigation';
export { Notice } from './platform/pages/components/notice';
export { ProblemSummary } from './platform/pages/components/problem-summary';
export { EmptyState, Section } from './platform/pages/components/section';
export { SelectField } from './platform/pages/components/select-field';
export { TextArea } from './platform/pages/components/text-area';
export { TextField } from './platform/pages/components/text-field';
export { Time } from './platform/pages/components/time';
export { FormInput } from './platform/pages/form-input';
export { HtmlPage, type PageAnswer, Redirect, RedirectAway } from './platform/pages/page-answer';
export { Submitted } from './platform/pages/pages.decorator';
export { queryText } from './platform/pages/query-text';
export { Repeatable } from './platform/pages/repeatable.decorator';
