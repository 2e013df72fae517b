import type { HoldId, SpaceId } from '../../../kernel/ids';
import { addDays, dayIn } from '../../../kernel/time-zone';
import { Button, ButtonLink } from '../../../platform/pages/components/button';
import { DescriptionList } from '../../../platform/pages/components/description-list';
import { Form } from '../../../platform/pages/components/form';
import { Notice } from '../../../platform/pages/components/notice';
import { ProblemSummary } from '../../../platform/pages/components/problem-summary';
import { Actions, EmptyState, Section } from '../../../platform/pages/components/section';
import { TextField } from '../../../platform/pages/components/text-field';
import { Time } from '../../../platform/pages/components/time';
import { FormInput } from '../../../platform/pages/form-input';
import { type Area, SettingsPage } from '../../shell';
import type { HoldView } from '../domain/hold-view';
import { calendarPath, dayPath } from './hold-paths';
import { inQueues } from './hold-order';

const LABELS = { expiresAt: 'Expiry date' };

const NOTICES = new Map([
  ['confirmed', 'The hold is an event now. Holds that overlapped it ended.'],
  ['released', 'The hold was released.'],
  ['challenged', 'The holds ahead were challenged.'],
  ['withdrawn', 'The challenge was withdrawn.'],
  ['extended', 'The new expiry date was saved.'],
]);

/** The hold whose form is shown again with its problems. */
export interface FaultyHold {
  readonly id: HoldId;
  readonly form: FormInput;
}

interface HoldDayPageProps {
  area: Area;
  day: string;
  /** Live ones. */
  holds: readonly HoldView[];
  /** Whether the day has more holds than the page shows. */
  isCut: boolean;
  spaceNames: ReadonlyMap<SpaceId, string>;
  faulty?: FaultyHold;
  notice: string;
}

export function HoldDayPage({ area, day, holds, isCut, spaceNames, faulty, notice }: HoldDayPageProps) {
  const { locale } = area.workspace;
  const date = dateText(day, locale, 'long');
  const namesOf = ({ spaceIds }: HoldView) => spaceIds.map((id) => spaceNames.get(id) ?? id).join(', ');
  const inOrder = inQueues(
    holds.toSorted((one, other) => namesOf(one).localeCompare(namesOf(other), locale)),
  );
  // Somebody else ended the hold since the visitor’s page was shown.
  const isGone = faulty && !holds.some(({ id }) => id === faulty.id);
  return (
    <SettingsPage
      area={area}
      place=":mode/calendar"
      title={`Holds on ${date}`}
      intro="The first can be confirmed at any time. The others wait, in the order in which they were placed."
      done={NOTICES.get(notice)}
    >
      {isGone && <ProblemSummary form={faulty.form} labels={{}} />}
      {isCut && (
        <Notice kind="warning">
          This day has more holds than this page can show. The API returns all of them.
        </Notice>
      )}
      {inOrder.length === 0 && <EmptyState title="No holds on this day" />}
      {inOrder.map((hold) => (
        <HoldSection
          area={area}
          day={day}
          hold={hold}
          spaces={namesOf(hold)}
          form={faulty?.id === hold.id ? faulty.form : undefined}
        />
      ))}
      <Actions>
        <ButtonLink kind="secondary" to={`${calendarPath(area)}?month=${day.slice(0, 7)}`}>
          Back to the calendar
        </ButtonLink>
      </Actions>
    </SettingsPage>
  );
}

interface HoldProps {
  area: Area;
  day: string;
  hold: HoldView;
}

function HoldSection({ area, day, hold, spaces, form }: HoldProps & { spaces: string; form?: FormInput }) {
  const { timeZone: zone, locale } = area.workspace;
  const { rank, title, startsAt, endsAt, expiresAt, answerBy, challengeDeadline } = hold;
  const at = (time: Date) => <Time at={time} zone={zone} />;
  return (
    <Section title={`${rank} · ${title}`}>
      <DescriptionList
        items={[
          { term: 'Spaces', details: spaces },
          { term: 'From', details: typeof startsAt === 'string' ? dateText(startsAt, locale) : at(startsAt) },
          {
            term: 'To',
            details: typeof endsAt === 'string' ? dateText(addDays(endsAt, -1), locale) : at(endsAt),
          },
          { term: 'Expires', details: at(expiresAt) },
          ...(answerBy ? [{ term: 'To be confirmed or released by', details: at(answerBy) }] : []),
          ...(challengeDeadline
            ? [{ term: 'Challenges those ahead until', details: at(challengeDeadline) }]
            : []),
        ]}
      />
      <Actions>
        {rank === 1 && <Act area={area} day={day} hold={hold} verb="confirm" does="Confirm" kind="primary" />}
        {rank! > 1 && !challengeDeadline && (
          <Act area={area} day={day} hold={hold} verb="challenge" does="Challenge" />
        )}
        {challengeDeadline && (
          <Act area={area} day={day} hold={hold} verb="withdraw" does="Withdraw challenge" />
        )}
        <Act area={area} day={day} hold={hold} verb="release" does="Release" kind="danger" />
      </Actions>
      <Form
        action={dayPath(area, day, `${hold.id}/extend`)}
        id={`extend-${hold.id}`}
        label={`Extend ${title}`}
      >
        {form && <ProblemSummary form={form} labels={LABELS} />}
        <TextField
          form={form?.problem('expiresAt') ? form : new FormInput({ expiresAt: lastDayOf(expiresAt, zone) })}
          name="expiresAt"
          label={LABELS.expiresAt}
          hint="The hold expires at the end of this day."
          type="date"
          required
        />
        <Button kind="secondary" of={title}>
          Extend
        </Button>
      </Form>
    </Section>
  );
}

interface ActProps extends HoldProps {
  verb: string;
  does: string;
  kind?: 'primary' | 'secondary' | 'danger';
}

function Act({ area, day, hold, verb, does, kind = 'secondary' }: ActProps) {
  const path = dayPath(area, day, `${hold.id}/${verb}`);
  return (
    <Form action={path} layout="inline" label={`${does} ${hold.title}`}>
      <Button kind={kind} of={hold.title}>
        {does}
      </Button>
    </Form>
  );
}

/** The day that ends when a hold expires, or on which it does. */
function lastDayOf(expiresAt: Date, zone: string): string {
  return dayIn(zone, new Date(expiresAt.getTime() - 1));
}

function dateText(day: string, locale: string, dateStyle: 'long' | 'medium' = 'medium'): string {
  return new Date(day).toLocaleDateString(locale, { dateStyle, timeZone: 'UTC' });
}
