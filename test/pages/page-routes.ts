import { PASSWORD } from '../support/people';
import type { Fields } from '../support/page-client';

export const VISITORS = ['nobody', 'expired', 'member', 'admin', 'owner', 'stranger'] as const;
/** `stranger` owns another workspace than the one in the path; `expired` was its owner's session. */
export type Visitor = (typeof VISITORS)[number];

/** Where a visitor has to sign in first, and come back to the page that they asked for. */
export const SIGN_IN = 'sign in';

/** What a visitor gets: a status or, as `303 /path`, where they are led. `:name` stands for what the path has there. */
type Outcomes = Record<Visitor, string>;

export interface PageRoute {
  readonly outcomes: Outcomes;
  /** What a form is sent with. */
  readonly fields?: Fields;
  /** What `:token` stands for. */
  readonly token?: 'reset';
  /** What is there is a file, such as an export. */
  readonly isFile?: true;
}

const everyone = (outcome: string): Outcomes =>
  Object.fromEntries(VISITORS.map((visitor) => [visitor, outcome])) as Outcomes;
const signedIn = (outcome: string): Outcomes => ({
  ...everyone(outcome),
  nobody: SIGN_IN,
  expired: SIGN_IN,
});
const members = (outcome: string): Outcomes => ({ ...signedIn(outcome), stranger: '404' });
const admins = (outcome: string): Outcomes => ({ ...members(outcome), member: '403' });
/** For pages that only make sense before one is signed in. */
const newcomers = (outcome: string, rest: string): Outcomes => ({
  ...everyone(rest),
  nobody: outcome,
  expired: outcome,
});

const WRONG_CODE = { code: '000000' };
const HALL = { name: 'Garden Hall', timeZone: 'Europe/Dublin', currency: 'GBP', locale: 'en-IE' };
const ENDPOINT = { url: 'https://example.com/hook', events: 'lead.*' };
const AREA = '/settings/:workspace';
const WEBHOOKS = `${AREA}/:mode/webhooks`;
const STAGES = `${AREA}/:mode/stages`;
const IMPORTS = `${AREA}/:mode/imports`;
const FILES = `${AREA}/:mode/files`;
const REASONS = `${AREA}/:mode/lost-reasons`;
const FIELDS = `${AREA}/:mode/fields`;
const HOLD_DAY = `${AREA}/:mode/calendar/days/:day`;
const ENTRIES = `${AREA}/:mode/calendar/events`;
const HOLD_POLICY = `${AREA}/:mode/calendar/hold-policy`;
const LEADS = `${AREA}/:mode/leads`;
const PROPOSALS = `${AREA}/:mode/proposals`;

/** Every page and form there is, by method and path. */
export const PAGE_ROUTES: Record<string, PageRoute> = {
  'GET /': { outcomes: signedIn('303 /settings') },
  'GET /settings': { outcomes: signedIn('303 /settings/:home') },

  'GET /sign-in': { outcomes: newcomers('200', '303 /settings') },
  'POST /sign-in': { outcomes: everyone('303 /settings'), fields: { email: ':email', password: PASSWORD } },
  'GET /sign-in/code': { outcomes: newcomers('303 /sign-in', '303 /settings') },
  'POST /sign-in/code': { outcomes: everyone('303 /sign-in?notice=too-late'), fields: WRONG_CODE },
  'POST /sign-out': { outcomes: everyone('303 /sign-in?notice=signed-out') },
  'GET /password-reset': { outcomes: everyone('200') },
  'POST /password-reset': { outcomes: everyone('200'), fields: { email: ':email' } },
  'GET /password-reset/:token': { outcomes: everyone('200'), token: 'reset' },
  'POST /password-reset/:token': {
    outcomes: everyone('303 /sign-in?notice=password-reset'),
    fields: { password: PASSWORD },
    token: 'reset',
  },
  'GET /invitations/:link': { outcomes: newcomers('200', '403') },
  'POST /invitations/:link': {
    outcomes: newcomers('303 /settings/:workspace', '403'),
    fields: { password: PASSWORD },
  },

  'GET /account': { outcomes: signedIn('200') },
  'POST /account/password': {
    outcomes: signedIn('303 /account?notice=password-changed'),
    fields: { current: PASSWORD, next: PASSWORD },
  },
  'POST /account/sign-out-everywhere': { outcomes: signedIn('303 /sign-in?notice=signed-out-everywhere') },
  'GET /account/two-factor': { outcomes: signedIn('200') },
  'POST /account/two-factor/set-up': { outcomes: signedIn('200'), fields: { password: PASSWORD } },
  // Without the secret that the page before has shown there is nothing to confirm.
  'POST /account/two-factor': { outcomes: signedIn('303 /account/two-factor'), fields: WRONG_CODE },
  'POST /account/two-factor/recovery-codes': { outcomes: signedIn('422'), fields: WRONG_CODE },
  'POST /account/two-factor/turn-off': { outcomes: signedIn('422'), fields: WRONG_CODE },

  [`GET ${AREA}`]: { outcomes: members('200') },
  [`GET ${AREA}/workspace`]: { outcomes: members('200') },
  [`POST ${AREA}/workspace`]: { outcomes: admins(`303 ${AREA}/workspace?notice=saved`), fields: HALL },
  [`GET ${AREA}/members`]: { outcomes: members('200') },
  [`POST ${AREA}/members/invitations`]: {
    outcomes: admins('201'),
    fields: { email: ':newEmail', role: 'member' },
  },
  [`POST ${AREA}/members/invitations/:invitation/cancel`]: {
    outcomes: admins(`303 ${AREA}/members?notice=cancelled`),
  },
  [`POST ${AREA}/members/:user/role`]: {
    outcomes: admins(`303 ${AREA}/members?notice=role-changed`),
    fields: { role: 'admin' },
  },
  [`POST ${AREA}/members/:user/pause`]: { outcomes: admins(`303 ${AREA}/members?notice=paused`) },
  [`POST ${AREA}/members/:user/resume`]: { outcomes: admins(`303 ${AREA}/members?notice=resumed`) },
  [`GET ${AREA}/members/:user/remove`]: { outcomes: admins('200') },
  [`POST ${AREA}/members/:user/remove`]: { outcomes: admins(`303 ${AREA}/members?notice=removed`) },
  [`GET ${AREA}/:mode/assignment`]: { outcomes: admins('200') },
  [`POST ${AREA}/:mode/assignment`]: {
    outcomes: admins(`303 ${AREA}/:mode/assignment?notice=saved`),
    fields: { policy: 'none' },
  },
  // Sandbox settings are copied to live mode alone.
  [`POST ${AREA}/:mode/assignment/copy`]: { outcomes: admins('404') },
  [`GET ${AREA}/:mode/calendar`]: { outcomes: members('200') },
  [`POST ${AREA}/:mode/calendar/link`]: { outcomes: members('201') },
  [`POST ${AREA}/:mode/calendar/link/revoke`]: {
    outcomes: members(`303 ${AREA}/:mode/calendar?notice=revoked`),
  },
  [`GET ${AREA}/:mode/calendar/availability`]: { outcomes: members('200') },
  [`GET ${ENTRIES}/new`]: { outcomes: members('200') },
  // It has no title.
  [`POST ${ENTRIES}`]: { outcomes: members('422'), fields: { type: 'event', startDay: '2099-02-01' } },
  [`GET ${ENTRIES}/:event`]: { outcomes: members('200') },
  [`GET ${ENTRIES}/:event/edit`]: { outcomes: members('200') },
  [`POST ${ENTRIES}/:event/edit`]: {
    outcomes: members('422'),
    fields: { type: 'event', title: 'Wedding', startDay: '2099-02-01', seen: 'of another time' },
  },
  [`GET ${ENTRIES}/:event/cancel`]: { outcomes: members('200') },
  [`POST ${ENTRIES}/:event/cancel`]: { outcomes: members(`303 ${ENTRIES}/:event?notice=cancelled`) },
  [`POST ${ENTRIES}/:event/restore`]: { outcomes: members(`303 ${ENTRIES}/:event?notice=restored`) },
  [`GET ${HOLD_DAY}`]: { outcomes: members('200') },
  [`GET ${HOLD_DAY}/hold`]: { outcomes: members('200') },
  // It names no space.
  [`POST ${HOLD_DAY}/hold`]: { outcomes: members('422'), fields: { title: 'Pérez', startDay: '2099-02-01' } },
  [`GET ${HOLD_DAY}/:hold/confirm`]: { outcomes: members('200') },
  [`GET ${HOLD_DAY}/:hold/release`]: { outcomes: members('200') },
  [`POST ${HOLD_DAY}/:hold/confirm`]: { outcomes: members(`303 ${HOLD_DAY}?notice=confirmed`) },
  [`POST ${HOLD_DAY}/:hold/release`]: { outcomes: members(`303 ${HOLD_DAY}?notice=released`) },
  // The hold is the only one, and it can't last that long.
  [`POST ${HOLD_DAY}/:hold/challenge`]: { outcomes: members('422') },
  [`POST ${HOLD_DAY}/:hold/withdraw`]: { outcomes: members('422') },
  [`POST ${HOLD_DAY}/:hold/extend`]: { outcomes: members('422'), fields: { expiresAt: '2927-06-01' } },
  [`GET ${HOLD_POLICY}`]: { outcomes: admins('200') },
  [`POST ${HOLD_POLICY}`]: {
    outcomes: admins(`303 ${HOLD_POLICY}?notice=saved`),
    fields: {
      ...{ defaultDays: '14', maxTotalDays: '60', challengeHours: '48', winnerHours: '24' },
      ...{ remindHours: '24', maxRank: '5', releaseOnLost: 'yes' },
    },
  },
  [`POST ${HOLD_POLICY}/copy`]: { outcomes: admins('404') },
  [`GET ${AREA}/:mode/tasks`]: { outcomes: members('200') },
  [`POST ${AREA}/:mode/tasks/:task/complete`]: { outcomes: members(`303 ${AREA}/:mode/tasks?notice=done`) },
  [`POST ${AREA}/:mode/tasks/:task/reopen`]: { outcomes: members(`303 ${AREA}/:mode/tasks?notice=reopened`) },
  [`POST ${AREA}/:mode/tasks/emails`]: { outcomes: members(`303 ${AREA}/:mode/tasks?notice=saved`) },
  [`GET ${AREA}/:mode/figures`]: { outcomes: members('200') },
  [`GET ${AREA}/:mode/figures/leads`]: { outcomes: members('200') },
  [`GET ${AREA}/:mode/figures/export`]: { outcomes: members('200'), isFile: true },
  [`GET ${AREA}/:mode/response-target`]: { outcomes: admins('200') },
  [`POST ${AREA}/:mode/response-target`]: {
    outcomes: admins(`303 ${AREA}/:mode/response-target?notice=saved`),
    fields: { minutes: '15' },
  },
  [`POST ${AREA}/:mode/response-target/copy`]: { outcomes: admins('404') },
  [`GET ${AREA}/:mode/brand`]: { outcomes: admins('200') },
  [`POST ${AREA}/:mode/brand`]: {
    // It names no state of the brand that it was shown with.
    outcomes: admins('422'),
    fields: { accent: '#7a3cc2', contactName: 'Marta Gil' },
  },
  [`GET ${AREA}/audit-log`]: { outcomes: admins('200') },

  // Apps are let in and removed in the tests of OAuth; here it counts who gets as far as being told what is amiss.
  'GET /oauth/authorize': { outcomes: everyone('400') },
  'POST /oauth/authorize': { outcomes: signedIn('400') },
  [`GET ${AREA}/:mode/apps`]: { outcomes: admins('200') },
  [`GET ${AREA}/:mode/apps/:installation/remove`]: { outcomes: admins('404') },
  [`POST ${AREA}/:mode/apps/:installation/remove`]: { outcomes: admins('404') },

  [`GET ${AREA}/:mode/pipeline`]: { outcomes: members('200') },
  [`GET ${LEADS}`]: { outcomes: members('200') },
  [`GET ${LEADS}/new`]: { outcomes: members('200') },
  // It has no address.
  [`POST ${LEADS}`]: { outcomes: members('422'), fields: { name: 'Ana' } },
  // None is selected.
  [`POST ${LEADS}/move`]: { outcomes: members('422'), fields: { stage: 'contacted' } },
  [`GET ${LEADS}/:lead`]: { outcomes: members('200') },
  [`GET ${LEADS}/:lead/edit`]: { outcomes: members('200') },
  [`POST ${LEADS}/:lead/edit`]: {
    outcomes: members('422'),
    fields: { email: 'ana@example.com', seen: 'of another time' },
  },
  [`POST ${LEADS}/:lead/stage`]: {
    outcomes: members(`303 ${LEADS}/:lead?notice=moved`),
    fields: { stage: 'contacted' },
  },
  [`POST ${LEADS}/:lead/archive`]: { outcomes: members(`303 ${LEADS}/:lead?notice=archived`) },
  [`POST ${LEADS}/:lead/restore`]: { outcomes: members(`303 ${LEADS}/:lead?notice=restored`) },
  [`POST ${LEADS}/:lead/activities`]: {
    outcomes: members(`303 ${LEADS}/:lead?notice=logged`),
    fields: { text: 'Called about the date.', kind: 'note' },
  },
  [`POST ${LEADS}/:lead/messages`]: {
    outcomes: members(`303 ${LEADS}/:lead?notice=sent`),
    fields: { message: 'The garden is free.' },
  },
  [`POST ${LEADS}/:lead/visits`]: {
    outcomes: members(`303 ${LEADS}/:lead?notice=visit-booked`),
    fields: { startsAt: '2099-02-01T10:00' },
  },
  // There is no such space.
  [`POST ${LEADS}/:lead/holds`]: { outcomes: members('422'), fields: { startsAt: '2099-02-01' } },
  [`POST ${LEADS}/:lead/tasks`]: {
    outcomes: members(`303 ${LEADS}/:lead?notice=task-added`),
    fields: { title: 'Send the menu' },
  },
  [`POST ${LEADS}/:lead/tasks/:task/complete`]: {
    outcomes: members(`303 ${LEADS}/:lead?notice=task-done`),
  },
  [`GET ${AREA}/:mode/leads/export`]: { outcomes: members('200'), isFile: true },
  [`GET ${AREA}/:mode/proposals/export`]: { outcomes: members('200'), isFile: true },
  [`GET ${AREA}/:mode/calendar/export`]: { outcomes: members('200'), isFile: true },
  [`GET ${IMPORTS}`]: { outcomes: admins('200') },
  // It has no file.
  [`POST ${IMPORTS}`]: { outcomes: admins('422') },
  [`GET ${IMPORTS}/:import`]: { outcomes: admins('200') },
  [`POST ${IMPORTS}/:import`]: {
    outcomes: admins(`303 ${IMPORTS}/:import`),
    fields: { matchBy: 'email', onExisting: 'fill', onMultiple: 'refuse', onEmpty: 'keep' },
  },
  [`POST ${IMPORTS}/:import/start`]: { outcomes: admins('422') },
  [`POST ${IMPORTS}/:import/cancel`]: { outcomes: admins(`303 ${IMPORTS}/:import`) },
  [`GET ${IMPORTS}/:import/failed.csv`]: { outcomes: admins('200'), isFile: true },
  [`GET ${FILES}`]: { outcomes: members('200') },
  // It has no file.
  [`POST ${FILES}`]: { outcomes: members('422') },
  [`POST ${FILES}/:file/delete`]: { outcomes: members(`303 ${FILES}?notice=deleted`) },
  [`GET ${FILES}/:file/:rendition`]: { outcomes: members('200'), isFile: true },
  [`GET ${STAGES}`]: { outcomes: admins('200') },
  [`POST ${STAGES}`]: {
    outcomes: admins(`303 ${STAGES}?notice=added`),
    fields: { name: 'Tasting', outcome: 'open' },
  },
  [`POST ${STAGES}/order`]: { outcomes: admins('422'), fields: { keys: 'lost' } },
  [`POST ${STAGES}/automations`]: {
    outcomes: admins(`303 ${STAGES}?notice=saved`),
    fields: { visitBooked: 'contacted', proposalSent: 'contacted', proposalAccepted: 'confirmed' },
  },
  // Only live data is copied to; these are called in test mode.
  [`POST ${STAGES}/copy`]: { outcomes: admins('404') },
  [`GET ${STAGES}/:stage/edit`]: { outcomes: admins('200') },
  [`POST ${STAGES}/:stage/edit`]: {
    outcomes: admins(`303 ${STAGES}?notice=saved`),
    fields: { name: 'Menu', outcome: 'won' },
  },
  [`POST ${STAGES}/:stage/archive`]: { outcomes: admins(`303 ${STAGES}?notice=archived`) },
  [`POST ${STAGES}/:stage/restore`]: { outcomes: admins(`303 ${STAGES}?notice=restored`) },
  [`POST ${REASONS}`]: {
    outcomes: admins(`303 ${STAGES}?notice=reason-added`),
    fields: { name: ':newEmail' },
  },
  [`GET ${REASONS}/:reason`]: { outcomes: admins('200') },
  [`POST ${REASONS}/:reason`]: {
    outcomes: admins(`303 ${STAGES}?notice=reason-saved`),
    fields: { name: ':newEmail' },
  },
  [`POST ${REASONS}/:reason/archive`]: { outcomes: admins(`303 ${STAGES}?notice=reason-archived`) },
  [`POST ${REASONS}/:reason/restore`]: { outcomes: admins(`303 ${STAGES}?notice=reason-restored`) },
  [`GET ${FIELDS}`]: { outcomes: admins('200') },
  [`POST ${FIELDS}`]: {
    outcomes: admins(`303 ${FIELDS}?notice=added`),
    fields: { label: 'Room', type: 'text' },
  },
  [`POST ${FIELDS}/copy`]: { outcomes: admins('404') },
  [`GET ${FIELDS}/:field/edit`]: { outcomes: admins('200') },
  [`POST ${FIELDS}/:field/edit`]: {
    outcomes: admins(`303 ${FIELDS}?notice=saved`),
    fields: { label: 'Preferred room' },
  },
  [`POST ${FIELDS}/:field/move`]: { outcomes: admins(`303 ${FIELDS}?notice=saved`), fields: { to: 'up' } },
  [`POST ${FIELDS}/:field/archive`]: { outcomes: admins(`303 ${FIELDS}?notice=archived`) },
  [`POST ${FIELDS}/:field/restore`]: { outcomes: admins(`303 ${FIELDS}?notice=restored`) },
  [`GET ${PROPOSALS}`]: { outcomes: members('200') },
  [`GET ${PROPOSALS}/new`]: { outcomes: members('200') },
  // It needs a lead, as does the next.
  [`POST ${PROPOSALS}/new`]: { outcomes: members('404') },
  [`POST ${PROPOSALS}/new/lines`]: { outcomes: members('404') },
  [`GET ${PROPOSALS}/:proposal/edit`]: { outcomes: members('200') },
  [`POST ${PROPOSALS}/:proposal/edit`]: {
    outcomes: members(`303 ${PROPOSALS}/:proposal?notice=saved`),
    fields: { revision: '1', title: 'Garden wedding', currency: 'EUR' },
  },
  [`POST ${PROPOSALS}/:proposal/edit/lines`]: { outcomes: members('200') },
  [`GET ${PROPOSALS}/:proposal/images`]: { outcomes: members('200') },
  [`GET ${PROPOSALS}/:proposal/preview`]: { outcomes: members('200') },
  [`POST ${PROPOSALS}/:proposal/images`]: {
    outcomes: members(`303 ${PROPOSALS}/:proposal?notice=saved`),
    fields: { revision: '1' },
  },
  [`GET ${PROPOSALS}/:proposal`]: { outcomes: members('200') },
  [`POST ${PROPOSALS}/:proposal/send`]: {
    outcomes: members(`303 ${PROPOSALS}/:proposal?notice=sent`),
    fields: { revision: '1' },
  },
  // It is a draft.
  [`POST ${PROPOSALS}/:proposal/revise`]: { outcomes: members('422') },
  [`GET ${PROPOSALS}/:proposal/withdraw`]: { outcomes: members('200') },
  [`POST ${PROPOSALS}/:proposal/withdraw`]: { outcomes: members('422') },
  [`GET ${PROPOSALS}/:proposal/archive`]: { outcomes: members('200') },
  [`POST ${PROPOSALS}/:proposal/archive`]: { outcomes: members(`303 ${PROPOSALS}?notice=archived`) },
  [`POST ${PROPOSALS}/:proposal/restore`]: {
    outcomes: members(`303 ${PROPOSALS}/:proposal?notice=restored`),
  },
  // What clients do with a link that works is tested with the proposals.
  'GET /proposals/:token': { outcomes: everyone('404') },
  'POST /proposals/:token/accept': { outcomes: everyone('404') },
  'POST /proposals/:token/decline': { outcomes: everyone('404') },
  'POST /proposals/:token/questions': { outcomes: everyone('404') },
  [`GET ${WEBHOOKS}`]: { outcomes: admins('200') },
  [`GET ${WEBHOOKS}/new`]: { outcomes: admins('200') },
  [`POST ${WEBHOOKS}`]: { outcomes: admins('201'), fields: ENDPOINT },
  [`GET ${WEBHOOKS}/:webhook`]: { outcomes: admins('200') },
  [`POST ${WEBHOOKS}/:webhook`]: {
    outcomes: admins(`303 ${WEBHOOKS}/:webhook?tab=settings&notice=saved`),
    fields: ENDPOINT,
  },
  [`POST ${WEBHOOKS}/:webhook/pause`]: { outcomes: admins(`303 ${WEBHOOKS}/:webhook?notice=paused`) },
  [`POST ${WEBHOOKS}/:webhook/enable`]: { outcomes: admins(`303 ${WEBHOOKS}/:webhook?notice=enabled`) },
  [`GET ${WEBHOOKS}/:webhook/rotate`]: { outcomes: admins('200') },
  [`POST ${WEBHOOKS}/:webhook/rotate`]: { outcomes: admins('201') },
  [`GET ${WEBHOOKS}/:webhook/delete`]: { outcomes: admins('200') },
  [`POST ${WEBHOOKS}/:webhook/delete`]: { outcomes: admins(`303 ${WEBHOOKS}?notice=deleted`) },
  [`POST ${WEBHOOKS}/:webhook/recover`]: {
    outcomes: admins(`303 ${WEBHOOKS}/:webhook/deliveries?recovered=0`),
    fields: { since: '2027-01-15T09:30' },
  },
  [`POST ${WEBHOOKS}/:webhook/test`]: { outcomes: admins(`303 ${WEBHOOKS}/:webhook?notice=test`) },
  [`GET ${WEBHOOKS}/:webhook/deliveries`]: { outcomes: admins('200') },
  [`GET ${WEBHOOKS}/:webhook/deliveries/:delivery`]: { outcomes: admins('200') },
  [`POST ${WEBHOOKS}/:webhook/deliveries/:delivery/retry`]: {
    outcomes: admins(`303 ${WEBHOOKS}/:webhook/deliveries/:delivery?notice=again`),
  },
  // Connecting needs a provider: test/messages has one. Test mode, which these are called in, has nothing to connect.
  [`GET ${AREA}/:mode/channels`]: { outcomes: admins('200') },
  [`GET ${AREA}/:mode/channels/connect`]: { outcomes: admins('404') },
  [`POST ${AREA}/:mode/channels/connect`]: { outcomes: admins('404') },
  [`POST ${AREA}/:mode/channels/test`]: { outcomes: admins('404') },
  [`POST ${AREA}/:mode/channels/templates`]: { outcomes: admins('404') },
  [`POST ${AREA}/:mode/channels/conversations`]: {
    outcomes: admins(`303 ${AREA}/:mode/channels?notice=saved`),
    fields: { languages: 'es', createsLeads: 'yes' },
  },
  [`GET ${AREA}/:mode/channels/disconnect`]: { outcomes: admins('404') },
  [`POST ${AREA}/:mode/channels/disconnect`]: { outcomes: admins('404') },

  [`GET ${AREA}/:mode/request-log`]: { outcomes: admins('200') },

  [`GET ${AREA}/:mode/api-keys`]: { outcomes: admins('200') },
  [`GET ${AREA}/:mode/api-keys/new`]: { outcomes: admins('200') },
  [`POST ${AREA}/:mode/api-keys`]: {
    outcomes: admins('201'),
    fields: { name: 'Website form', scopes: 'leads:read', lifetime: '30' },
  },
  [`GET ${AREA}/:mode/api-keys/:key`]: { outcomes: admins('200') },
  [`POST ${AREA}/:mode/api-keys/:key/rotate`]: { outcomes: admins('201'), fields: { grace: '3600' } },
  [`GET ${AREA}/:mode/api-keys/:key/revoke`]: { outcomes: admins('200') },
  [`POST ${AREA}/:mode/api-keys/:key/revoke`]: {
    outcomes: admins(`303 ${AREA}/:mode/api-keys?notice=revoked`),
  },
};
