import { Injectable } from '@nestjs/common';
import type { SpaceId } from '../../../kernel/ids';
import { addDays, dayIn } from '../../../kernel/time-zone';
import { Button, ButtonLink } from '../../../platform/pages/components/button';
import { DescriptionList } from '../../../platform/pages/components/description-list';
import { Form } from '../../../platform/pages/components/form';
import { Notice } from '../../../platform/pages/components/notice';
import { ProblemSummary } from '../../../platform/pages/components/problem-summary';
import { Actions, Section } from '../../../platform/pages/components/section';
import { TextField } from '../../../platform/pages/components/text-field';
import { Time } from '../../../platform/pages/components/time';
import { FormInput } from '../../../platform/pages/form-input';
import { type DayPanel, type DayRequest, dayPath, HeldSpaces, type RefusedForm } from '../../calendar';
import { type Area, refOf } from '../../shell';
import { HoldQueries } from '../application/hold-queries';
import type { HoldView } from '../domain/hold-view';
import { inQueues } from './hold-order';

const LABELS = { expiresAt: 'Expiry date' };

const NOTICES = new Map([
  ['confirmed', 'The hold is an event now. Holds that overlapped it ended.'],
  ['released', 'The hold was released.'],
  ['challenged', 'The holds ahead were challenged.'],
  ['withdrawn', 'The challenge was withdrawn.'],
  ['extended', 'The new expiry date was saved.'],
  ['held', 'The date is held.'],
]);

const MOST_HOLDS = 20;
const FIRST_HOLDS = {
  page: 1,
  limit: MOST_HOLDS,
  sort: { field: 'startsAt', descending: false },
  fingerprint: '',
} as const;

/** The live holds of a day. Every member may read leads, and so the titles of all holds. */
@Injectable()
export class HoldQueuesPanel implements DayPanel {
  static readonly NAME = 'holds';
  readonly name = HoldQueuesPanel.NAME;
  readonly notices = NOTICES;

  constructor(
    private readonly queries: HoldQueries,
    private readonly spaces: HeldSpaces,
  ) {}

  action({ area, day }: DayRequest) {
    return (
      <ButtonLink kind="secondary" to={dayPath(area, day, 'hold')}>
        Hold a date
      </ButtonLink>
    );
  }

  async content({ area, day, filter: { spaceId, type }, refused }: DayRequest) {
    if (type && type !== 'hold') return null;
    const ref = refOf(area);
    const shown = { status: 'active', from: day, to: day, spaceId } as const;
    const { data: holds, pagination } = await this.queries.list(ref, shown, FIRST_HOLDS);
    const spaceNames = await this.spaces.names(ref, [...new Set(holds.flatMap(({ spaceIds }) => spaceIds))]);
    const more = pagination.total - holds.length;
    return <HoldQueues {...{ area, day, holds, more, spaceNames, refused }} />;
  }
}

interface HoldQueuesProps {
  area: Area;
  day: string;
  /** Live ones. */
  holds: readonly HoldView[];
  /** How many more the day has. */
  more: number;
  spaceNames: ReadonlyMap<SpaceId, string>;
  refused?: RefusedForm;
}

function HoldQueues({ area, day, holds, more, spaceNames, refused }: HoldQueuesProps) {
  const { locale } = area.workspace;
  const namesOf = ({ spaceIds }: HoldView) => spaceIds.map((id) => spaceNames.get(id) ?? id).join(', ');
  const inOrder = inQueues(
    holds.toSorted((one, other) => namesOf(one).localeCompare(namesOf(other), locale)),
  );
  // Somebody else ended the hold since the visitor’s page was shown.
  const isGone = refused && !holds.some(({ id }) => id === refused.about);
  if (holds.length === 0 && !isGone) return null;
  return (
    <div>
      <h2>Holds</h2>
      <p class="quiet">
        The first can be confirmed at any time. The others wait, in the order in which they were placed.
      </p>
      {isGone && <ProblemSummary form={refused.form} labels={{}} />}
      {more > 0 && (
        <Notice kind="warning">
          {`${more} more holds of this day are not shown. Choose a space in the calendar, or use the API, to see them.`}
        </Notice>
      )}
      {inOrder.map((hold) => (
        <HoldSection
          area={area}
          day={day}
          hold={hold}
          spaces={namesOf(hold)}
          form={refused?.about === hold.id ? refused.form : undefined}
        />
      ))}
    </div>
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
        {rank === 1 && (
          <ButtonLink to={dayPath(area, day, `${hold.id}/confirm`)} of={title}>
            Confirm…
          </ButtonLink>
        )}
        {rank! > 1 && !challengeDeadline && (
          <Act area={area} day={day} hold={hold} verb="challenge" does="Challenge" />
        )}
        {challengeDeadline && (
          <Act area={area} day={day} hold={hold} verb="withdraw" does="Withdraw challenge" />
        )}
        <ButtonLink kind="secondary" to={dayPath(area, day, `${hold.id}/release`)} of={title}>
          Release…
        </ButtonLink>
      </Actions>
      <Form
        action={dayPath(area, day, `${hold.id}/extend`)}
        id={`extend-${hold.id}`}
        label={`Extend ${title}`}
        layout="inline"
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
}

function Act({ area, day, hold, verb, does }: ActProps) {
  const path = dayPath(area, day, `${hold.id}/${verb}`);
  return (
    <Form action={path} layout="inline" label={`${does} ${hold.title}`}>
      <Button kind="secondary" of={hold.title}>
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
