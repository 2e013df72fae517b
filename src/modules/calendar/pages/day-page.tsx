import { Injectable } from '@nestjs/common';
import type { ComponentChildren } from 'preact';
import type { SpaceId } from '../../../kernel/ids';
import { addDays } from '../../../kernel/time-zone';
import { ButtonLink } from '../../../platform/pages/components/button';
import { Link } from '../../../platform/pages/components/link';
import { Notice } from '../../../platform/pages/components/notice';
import { EmptyState } from '../../../platform/pages/components/section';
import { HtmlPage } from '../../../platform/pages/page-answer';
import { type Area, refOf, SettingsPage } from '../../shell';
import { NotFound } from '../../../kernel/errors';
import * as fieldRules from '../../../platform/http/field-rules';
import { CalendarQueries } from '../application/calendar-queries';
import { type MonthEntry, type MonthFilter, MonthQueries } from '../application/month-queries';
import { calendarPath, dayPath } from './calendar-paths';
import { isFiltered, withFilter } from './calendar-view';
import { DayPageParts, type RefusedForm } from './day-page-parts';
import { byTimeAndRank, EntryLine } from './entry-line';
import { SHOWN_TITLE } from './entry-texts';
import { dateText, instantsOf } from './month-days';

/** Further entries are counted alone. */
const MOST_ENTRIES = 80;

interface Told {
  /** The notice of the address. */
  notice?: string;
  filter?: MonthFilter;
  refused?: RefusedForm;
}

/** A day, to which every module adds its panels. A module whose form was refused shows the page again with it. */
@Injectable()
export class DayPage {
  constructor(
    private readonly queries: CalendarQueries,
    private readonly months: MonthQueries,
    private readonly parts: DayPageParts,
  ) {}

  /** @throws NotFound for text that is no day which can be planned */
  async show(area: Area, day: string, { notice = '', filter = {}, refused }: Told = {}): Promise<HtmlPage> {
    if (fieldRules.plannableDate(day)) throw new NotFound('page');
    const ref = refOf(area);
    const days = instantsOf(area.workspace.timeZone, [day]);
    const limits = { eachDay: MOST_ENTRIES, title: SHOWN_TITLE + 1, nightsOnce: false };
    const reading = await this.months.read(ref, days, filter, limits);
    const spaceNames = await this.queries.spaceNames(ref, reading.entries);
    const panels: ComponentChildren[] = [];
    const actions: ComponentChildren[] = [];
    const notices = new Map<string, string>();
    for (const panel of this.parts.panels()) {
      const request = { area, day, filter, ...(refused?.panel === panel.name && { refused }) };
      actions.push(panel.action?.(request));
      panels.push(await panel.content(request));
      for (const [name, text] of panel.notices) notices.set(name, text);
    }
    return new HtmlPage(
      <Frame
        area={area}
        day={day}
        filter={filter}
        entries={reading.entries}
        count={reading.counts[0]!}
        spaceNames={spaceNames}
        actions={actions}
        done={notices.get(notice)}
      >
        {panels}
      </Frame>,
      refused ? 422 : 200,
    );
  }
}

interface FrameProps {
  area: Area;
  day: string;
  filter: MonthFilter;
  entries: readonly MonthEntry[];
  count: number;
  spaceNames: ReadonlyMap<SpaceId, string>;
  actions: ComponentChildren;
  done?: string;
  children: ComponentChildren;
}

function Frame({ area, day, filter, entries, count, spaceNames, actions, done, children }: FrameProps) {
  const { locale } = area.workspace;
  const add = (type: string) => `${calendarPath(area, 'events/new')}?type=${type}&day=${day}` as const;
  const other = (days: number) => addDays(day, days);
  const name = (of: string) => dateText(of, locale, { weekday: 'short', day: 'numeric', month: 'short' });
  return (
    <SettingsPage
      area={area}
      place=":mode/calendar"
      title={dateText(day, locale, { dateStyle: 'full' })}
      intro={
        <>
          <Link to={withFilter(calendarPath(area), filter, { month: day.slice(0, 7) })}>Calendar</Link>
        </>
      }
      actions={
        <>
          {actions}
          <ButtonLink kind="secondary" to={add('visit')}>
            Plan a visit
          </ButtonLink>
          <ButtonLink to={add('event')}>Add event</ButtonLink>
        </>
      }
      done={done}
    >
      <nav aria-label="Days" class="pagination">
        {[-1, 1].map((days) => (
          <Link
            to={withFilter(dayPath(area, other(days)), filter)}
            rel={days < 0 ? 'prev' : 'next'}
            class="button secondary"
          >
            {days < 0 && <span aria-hidden="true">← </span>}
            {name(other(days))}
            {days > 0 && <span aria-hidden="true"> →</span>}
          </Link>
        ))}
      </nav>
      {isFiltered(filter) && (
        <p>
          Only some of the entries are shown. <Link to={dayPath(area, day)}>Show all</Link>
        </p>
      )}
      <div class="day-page">
        <div>
          {entries.length === 0 ? (
            <EmptyState title="Nothing planned">Hold this day, add an event or plan a visit.</EmptyState>
          ) : (
            <ul class="day-list">
              {entries.toSorted(byTimeAndRank).map((entry) => (
                <EntryLine area={area} entry={entry} day={day} spaceNames={spaceNames} />
              ))}
            </ul>
          )}
          {count > entries.length && (
            <Notice kind="warning">
              {`${count - entries.length} more are planned on this day. The API returns all of them.`}
            </Notice>
          )}
        </div>
        {children}
      </div>
    </SettingsPage>
  );
}
