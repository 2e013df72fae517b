import { Button } from '../../../platform/pages/components/button';
import { DescriptionList } from '../../../platform/pages/components/description-list';
import { Form } from '../../../platform/pages/components/form';
import { Link, type Path } from '../../../platform/pages/components/link';
import { Tabs } from '../../../platform/pages/components/navigation';
import { ProblemSummary } from '../../../platform/pages/components/problem-summary';
import { EmptyState, Section } from '../../../platform/pages/components/section';
import { TextField } from '../../../platform/pages/components/text-field';
import { Time } from '../../../platform/pages/components/time';
import type { FormInput } from '../../../platform/pages/form-input';
import { type Area, isAdmin, SettingsPage, settingsPath } from '../../shell';
import type { ResponsesReport } from '../application/report-queries';
import { FigureSection } from './figure-section';
import { type Figures, formatSeconds, formatValue, type TableName, TABLES } from './figure-tables';
import { type Days, daysOf, periodsOn } from './figures-period';

const LABELS = { from: 'From', to: 'To', timeZone: 'Time zone', interval: 'Interval' };

interface FiguresPageProps {
  area: Area;
  form: FormInput;
  today: string;
  /** Undefined when the period is faulty. */
  figures: Figures | undefined;
  /** Whether the workspace has any lead. */
  hasLeads: boolean;
}

export function FiguresPage({ area, form, today, figures, hasLeads }: FiguresPageProps) {
  const days = daysOf(form);
  return (
    <SettingsPage
      area={area}
      place=":mode/figures"
      title="Figures"
      intro="How soon leads get a reply, where they come from, where they stall and why they are lost."
    >
      {hasLeads ? (
        <>
          <PeriodPicker area={area} form={form} today={today} />
          {figures && <Charts area={area} figures={figures} days={days} />}
        </>
      ) : (
        <EmptyState title="No leads yet">
          Once leads arrive, you will see here how soon they got their first response, how many came and from
          where, how they went from stage to stage, and why some were lost.
        </EmptyState>
      )}
    </SettingsPage>
  );
}

function PeriodPicker({ area, form, today }: Pick<FiguresPageProps, 'area' | 'form' | 'today'>) {
  const path = figuresPath(area);
  const pathOf = ({ from, to }: Days): Path => `${path}?from=${from}&to=${to}`;
  return (
    <>
      <Tabs
        label="Period"
        items={periodsOn(today).map((period) => ({ to: pathOf(period), label: period.label }))}
        current={pathOf(daysOf(form))}
      />
      <Form action={path} method="get" layout="inline" label="Period">
        <ProblemSummary form={form} labels={LABELS} />
        <TextField form={form} name="from" label={LABELS.from} type="date" required />
        <TextField form={form} name="to" label={LABELS.to} type="date" required />
        <Button kind="secondary">Show</Button>
      </Form>
    </>
  );
}

function Charts({ area, figures, days }: { area: Area; figures: Figures; days: Days }) {
  const { locale, timeZone } = area.workspace;
  const section = (name: TableName, more: { intro?: string; isOverTime?: boolean } = {}) => (
    <FigureSection
      {...more}
      table={TABLES[name](figures)}
      locale={locale}
      download={`${figuresPath(area)}/export?table=${name}&from=${days.from}&to=${days.to}`}
    />
  );
  return (
    <>
      <ResponseCard
        area={area}
        report={figures.responses}
        waiting={figures.listOf({ response: 'waiting' })}
      />
      {section('responses')}
      {section('leads', { isOverTime: true })}
      {section('funnel', { intro: 'Leads that were created in the period, each once for a stage.' })}
      {section('sources', { intro: 'Leads that were created in the period, and won and lost in it.' })}
      {section('lost-reasons', { intro: 'Leads that were lost in the period.' })}
      <p class="quiet">
        Days are those of {timeZone}. Everything is recorded since{' '}
        <Time at={figures.responses.completeSince} zone={timeZone} />.
      </p>
    </>
  );
}

function ResponseCard({ area, report, waiting }: { area: Area; report: ResponsesReport; waiting: Path }) {
  const { locale } = area.workspace;
  const { total, targetMinutes } = report;
  const seconds = (value: number | null) => (value === null ? '–' : formatSeconds(value, locale));
  const answeredInTime =
    total.withinTarget === null || total.answered === 0 ? null : total.withinTarget / total.answered;
  const target = targetMinutes === null ? 'None' : formatSeconds(targetMinutes * 60, locale);
  return (
    <Section title="First response" intro="Of leads that were created in the period.">
      <DescriptionList
        items={[
          {
            term: 'Target',
            details: isAdmin(area) ? (
              <Link to={settingsPath(area, `${area.mode}/response-target`)}>{target}</Link>
            ) : (
              target
            ),
          },
          ...(targetMinutes === null
            ? []
            : [{ term: 'Answered within it', details: formatValue(answeredInTime, 'share', locale) }]),
          { term: 'Median', details: seconds(total.medianSeconds) },
          { term: 'Nine in ten within', details: seconds(total.p90Seconds) },
          { term: 'Answered', details: total.answered },
          {
            term: 'Without a response',
            details: total.waiting > 0 ? <Link to={waiting}>{total.waiting}</Link> : total.waiting,
          },
          { term: 'Not counted: imported or further on', details: total.excluded },
        ]}
      />
    </Section>
  );
}

export function figuresPath(area: Area): Path {
  return settingsPath(area, `${area.mode}/figures`);
}
