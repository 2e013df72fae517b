import { LeadsAndApiKeys1795000000000 } from './1795000000000-leads-and-api-keys';
import { People1796000000000 } from './1796000000000-people';
import { OAuth1797000000000 } from './1797000000000-oauth';
import { Webhooks1798000000000 } from './1798000000000-webhooks';
import { Proposals1799000000000 } from './1799000000000-proposals';
import { Calendar1800000000000 } from './1800000000000-calendar';
import { Messages1801000000000 } from './1801000000000-messages';
import { IdempotencyKeys1802000000000 } from './1802000000000-idempotency-keys';
import { MessageTurns1803000000000 } from './1803000000000-message-turns';
import { LeadsAtAnySize1804000000000 } from './1804000000000-leads-at-any-size';
import { Subscriptions1806000000000 } from './1806000000000-subscriptions';
import { RequestLog1807000000000 } from './1807000000000-request-log';
import { SearchByWordsFirst1808000000000 } from './1808000000000-search-by-words-first';
import { ChangedWebhooks1809000000000 } from './1809000000000-changed-webhooks';
import { WordCounts1810000000000 } from './1810000000000-word-counts';
import { VisitorAges1811000000000 } from './1811000000000-visitor-ages';
import { WebhookPrivileges1815000000000 } from './1815000000000-webhook-privileges';
import { VerifiedWebhooks1816000000000 } from './1816000000000-verified-webhooks';
import { EmailKeys1817000000000 } from './1817000000000-email-keys';
import { ProvenEmails1818000000000 } from './1818000000000-proven-emails';
import { MessageUsers1819000000000 } from './1819000000000-message-users';
import { TextKeys1820000000000 } from './1820000000000-text-keys';
import { Revisions1821000000000 } from './1821000000000-revisions';
import { FormSubmissions1822000000000 } from './1822000000000-form-submissions';
import { DropWordCounts1823000000000 } from './1823000000000-drop-word-counts';
import { WebhookRevisions1824000000000 } from './1824000000000-webhook-revisions';
import { DropReplacedIndexes1825000000000 } from './1825000000000-drop-replaced-indexes';
import { EventOrder1826000000000 } from './1826000000000-event-order';
import { ExtensionSettings1828000000000 } from './1828000000000-extension-settings';
import { AppOrigins1829000000000 } from './1829000000000-app-origins';
import { FoldTagsFaster1830000000000 } from './1830000000000-fold-tags-faster';
import { OutgoingMails1831000000000 } from './1831000000000-outgoing-mails';
import { CheaperEpochs1831500000000 } from './1831500000000-cheaper-epochs';
import { LighterDeliveries1831600000000 } from './1831600000000-lighter-deliveries';
import { CountLeadsInOneStatement1831700000000 } from './1831700000000-count-leads-in-one-statement';
import { Stages1832000000000 } from './1832000000000-stages';
import { LostReasons1833000000000 } from './1833000000000-lost-reasons';
import { LeadStageChanges1834000000000 } from './1834000000000-lead-stage-changes';
import { EventCauses1836000000000 } from './1836000000000-event-causes';
import { PausingAndLeavingMembers1837000000000 } from './1837000000000-pausing-and-leaving-members';
import { LeadOwners1838000000000 } from './1838000000000-lead-owners';
import { Activities1839000000000 } from './1839000000000-activities';
import { Tasks1840000000000 } from './1840000000000-tasks';
import { CalendarEventsOfLeads1841000000000 } from './1841000000000-calendar-events-of-leads';
import { ExternalIdsOfLeads1842000000000 } from './1842000000000-external-ids-of-leads';
import { NewestLeadsByContact1843000000000 } from './1843000000000-newest-leads-by-contact';
import { ExportsUnderWay1851000000000 } from './1851000000000-exports-under-way';
import { LeadsWithoutOwners1852000000000 } from './1852000000000-leads-without-owners';
import { FirstKeys1853000000000 } from './1853000000000-first-keys';
import { CompletedTasksOfLeads1854000000000 } from './1854000000000-completed-tasks-of-leads';
import { DueTasksOfPeople1855000000000 } from './1855000000000-due-tasks-of-people';
import { LeadFields1856000000000 } from './1856000000000-lead-fields';
import { CustomValues1857000000000 } from './1857000000000-custom-values';
import { Imports1858000000000 } from './1858000000000-imports';
import { Holds1862000000000 } from './1862000000000-holds';
import { LostLeadsReleaseHolds1862100000000 } from './1862100000000-lost-leads-release-holds';
import { LeadJourneys1868000000000 } from './1868000000000-lead-journeys';
import { FirstResponses1868100000000 } from './1868100000000-first-responses';
import { ResponseTargets1868200000000 } from './1868200000000-response-targets';
import { OpenProposals1871000000000 } from './1871000000000-open-proposals';
import { AuditLogFilters1871100000000 } from './1871100000000-audit-log-filters';
import { Files1872000000000 } from './1872000000000-files';
import { Brands1872100000000 } from './1872100000000-brands';
import { ProposalPresentation1872200000000 } from './1872200000000-proposal-presentation';
import { Questions1872300000000 } from './1872300000000-questions';
import { SentBrands1873000000000 } from './1873000000000-sent-brands';

/** In the order in which they run. */
export const migrations = [
  LeadsAndApiKeys1795000000000,
  People1796000000000,
  OAuth1797000000000,
  Webhooks1798000000000,
  Proposals1799000000000,
  Calendar1800000000000,
  Messages1801000000000,
  IdempotencyKeys1802000000000,
  MessageTurns1803000000000,
  LeadsAtAnySize1804000000000,
  Subscriptions1806000000000,
  RequestLog1807000000000,
  SearchByWordsFirst1808000000000,
  ChangedWebhooks1809000000000,
  WordCounts1810000000000,
  VisitorAges1811000000000,
  WebhookPrivileges1815000000000,
  VerifiedWebhooks1816000000000,
  EmailKeys1817000000000,
  ProvenEmails1818000000000,
  MessageUsers1819000000000,
  TextKeys1820000000000,
  Revisions1821000000000,
  FormSubmissions1822000000000,
  DropWordCounts1823000000000,
  WebhookRevisions1824000000000,
  DropReplacedIndexes1825000000000,
  EventOrder1826000000000,
  ExtensionSettings1828000000000,
  AppOrigins1829000000000,
  FoldTagsFaster1830000000000,
  OutgoingMails1831000000000,
  CheaperEpochs1831500000000,
  LighterDeliveries1831600000000,
  CountLeadsInOneStatement1831700000000,
  Stages1832000000000,
  LostReasons1833000000000,
  LeadStageChanges1834000000000,
  EventCauses1836000000000,
  PausingAndLeavingMembers1837000000000,
  LeadOwners1838000000000,
  Activities1839000000000,
  Tasks1840000000000,
  CalendarEventsOfLeads1841000000000,
  ExternalIdsOfLeads1842000000000,
  NewestLeadsByContact1843000000000,
  ExportsUnderWay1851000000000,
  LeadsWithoutOwners1852000000000,
  FirstKeys1853000000000,
  CompletedTasksOfLeads1854000000000,
  DueTasksOfPeople1855000000000,
  LeadFields1856000000000,
  CustomValues1857000000000,
  Imports1858000000000,
  Holds1862000000000,
  LostLeadsReleaseHolds1862100000000,
  LeadJourneys1868000000000,
  FirstResponses1868100000000,
  ResponseTargets1868200000000,
  OpenProposals1871000000000,
  AuditLogFilters1871100000000,
  Files1872000000000,
  Brands1872100000000,
  ProposalPresentation1872200000000,
  Questions1872300000000,
  SentBrands1873000000000,
];
