import { dayIn } from '../../src/kernel/time-zone';

/** What figures are compared with: plain code over a list of events, written without regard to the SQL. */
export type HistoryEvent = { at: number } & (
  | { type: 'created'; stage: string; source: string | null; tag: string | null }
  | { type: 'moved'; stage: string; isByPerson: boolean }
  | { type: 'archived' }
  | { type: 'received' }
  | { type: 'sent'; isAutomatic: boolean }
  | { type: 'called' | 'visited' }
  | { type: 'proposed'; currency: string; total: number; isAccepted: boolean }
);
/** The events of one lead, in their order; the first is its creation. */
export type History = readonly HistoryEvent[];

export const STAGES = [
  ...['new_enquiry', 'contacted', 'visit_booked', 'proposal_sent', 'negotiation'],
  ...['confirmed', 'completed', 'lost'],
];
export const outcomeOf = (stage: string) =>
  stage === 'lost' ? 'lost' : ['confirmed', 'completed'].includes(stage) ? 'won' : 'open';

interface Stay {
  stage: string;
  from: number;
  until: number | null;
  to: string | null;
}

export class Lead {
  readonly created: Extract<HistoryEvent, { type: 'created' }>;
  readonly stays: Stay[];

  constructor(readonly history: History) {
    this.created = history[0] as typeof this.created;
    this.stays = [{ stage: this.created.stage, from: this.created.at, until: null, to: null }];
    for (const event of history) {
      const last = this.stays.at(-1)!;
      if (event.type !== 'moved' || event.stage === last.stage) continue;
      last.until = event.at;
      last.to = event.stage;
      this.stays.push({ stage: event.stage, from: event.at, until: null, to: null });
    }
  }

  get outcome(): string {
    return outcomeOf(this.stays.at(-1)!.stage);
  }

  get isExcluded(): boolean {
    return this.created.stage !== 'new_enquiry';
  }

  get isArchived(): boolean {
    return this.history.some(({ type }) => type === 'archived');
  }

  /** When it became what it is, won or lost. */
  get closedAt(): number | null {
    if (this.outcome === 'open') return null;
    let at = this.created.at;
    for (const { from } of this.stays.filter(
      ({ stage }, index) => index > 0 && outcomeOf(stage) !== outcomeOf(this.stays[index - 1]!.stage),
    ))
      at = from;
    return at;
  }

  private isAnswer(event: HistoryEvent): boolean {
    switch (event.type) {
      case 'sent':
        return !event.isAutomatic;
      case 'called':
      case 'visited':
      case 'proposed':
        return true;
      case 'moved':
        return event.isByPerson && this.stageBefore(event) === 'new_enquiry';
      default:
        return false;
    }
  }

  /** The stage that a move left; undefined for a move to the stage where the lead is. */
  private stageBefore({ at }: HistoryEvent): string | undefined {
    return this.stays.find(({ until }) => until === at)?.stage;
  }

  get responseSeconds(): number | null {
    const answer = this.history.find((event) => this.isAnswer(event));
    return answer ? Math.floor((answer.at - this.created.at) / 1000) : null;
  }

  get waitsSince(): number | null {
    let since = this.isExcluded || this.outcomeAtCreation !== 'open' ? null : this.created.at;
    for (const event of this.history) {
      if (event.type === 'received') since ??= event.at;
      const isLoss =
        event.type === 'moved' && event.isByPerson && event.stage === 'lost' && this.stageBefore(event);
      if (this.isAnswer(event) || isLoss) since = null;
    }
    return since;
  }

  private get outcomeAtCreation(): string {
    return outcomeOf(this.created.stage);
  }

  get value(): { currency: string; total: number } | null {
    const proposals = this.history.filter((event) => event.type === 'proposed');
    return proposals.findLast(({ isAccepted }) => isAccepted) ?? proposals.at(-1) ?? null;
  }
}

/** The nearest-rank percentile. */
export function percentile(values: readonly number[], part: number): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.ceil(part * sorted.length) - 1] ?? null;
}

const isOn = (zone: string, at: number, { from, to }: { from: string; to: string }) => {
  const day = dayIn(zone, new Date(at));
  return from <= day && day <= to;
};

interface Days {
  from: string;
  to: string;
}

/** @param target in minutes */
export function responses(leads: readonly Lead[], zone: string, days: Days, target: number | null) {
  const created = leads.filter((lead) => isOn(zone, lead.created.at, days));
  const counted = created.filter((lead) => !lead.isExcluded);
  const seconds = counted.flatMap((lead) => lead.responseSeconds ?? []);
  const within = (minutes: number) => seconds.filter((each) => each <= minutes * 60).length;
  return {
    leads: created.length,
    excluded: created.length - counted.length,
    answered: seconds.length,
    waiting: counted.length - seconds.length,
    medianSeconds: percentile(seconds, 0.5),
    p90Seconds: percentile(seconds, 0.9),
    within5Minutes: within(5),
    within15Minutes: within(15),
    within1Hour: within(60),
    within4Hours: within(240),
    within24Hours: within(1440),
    withinTarget: target === null ? null : within(target),
  };
}

const daysOf = (seconds: number | null) =>
  seconds === null ? null : Math.round((seconds * 10) / 86_400) / 10;

export function outcomes(leads: readonly Lead[], zone: string, days: Days, basis: 'created' | 'closed') {
  const created = leads.filter((lead) => isOn(zone, lead.created.at, days));
  const decided =
    basis === 'created'
      ? created
      : leads.filter(({ closedAt }) => closedAt !== null && isOn(zone, closedAt, days));
  const won = decided.filter(({ outcome }) => outcome === 'won');
  const lost = decided.filter(({ outcome }) => outcome === 'lost').length;
  const currencies = [...new Set(won.flatMap(({ value }) => value?.currency ?? []))].sort();
  const secondsToWin = won.map((lead) => Math.floor((lead.closedAt! - lead.created.at) / 1000));
  return {
    created: created.length,
    won: won.length,
    lost,
    open: created.filter(({ outcome }) => outcome === 'open').length,
    daysToWin: daysOf(percentile(secondsToWin, 0.5)),
    winRate: won.length + lost === 0 ? null : won.length / (won.length + lost),
    conversion: basis === 'created' && created.length > 0 ? won.length / created.length : null,
    values: currencies.map((currency) => {
      const amounts = won.flatMap(({ value }) => (value?.currency === currency ? [value.total] : []));
      return { currency, amount: amounts.reduce((sum, each) => sum + each, 0), leads: amounts.length };
    }),
    withoutValue: won.filter(({ value }) => value === null).length,
  };
}

export function funnel(leads: readonly Lead[], zone: string, days: Days, basis: 'created' | 'entered') {
  const cohort = basis === 'created' ? leads.filter((lead) => isOn(zone, lead.created.at, days)) : leads;
  return STAGES.map((stage, rank) => {
    const all = cohort.flatMap((lead) =>
      lead.stays.filter(
        (stay) => stay.stage === stage && (basis === 'created' || isOn(zone, stay.from, days)),
      ),
    );
    const counted =
      basis === 'entered'
        ? all
        : cohort.flatMap((lead) => lead.stays.findLast((stay) => stay.stage === stage) ?? []);
    const fateOf = ({ to }: Stay) => {
      if (to === null) return 'still';
      if (to === 'lost') return 'lost';
      return STAGES.indexOf(to) > rank ? 'advanced' : 'wentBack';
    };
    const count = (fate: string) => counted.filter((stay) => fateOf(stay) === fate).length;
    const skipped = cohort.filter(
      ({ stays }) =>
        stays.every((stay) => stay.stage !== stage) &&
        stays.some((stay) => stay.stage !== 'lost' && STAGES.indexOf(stay.stage) > rank),
    ).length;
    const seconds = all.flatMap(({ from, until }) =>
      until === null ? [] : Math.floor((until - from) / 1000),
    );
    const isCreated = basis === 'created';
    return {
      stage,
      entered: counted.length,
      ...{
        advanced: count('advanced'),
        wentBack: count('wentBack'),
        lost: count('lost'),
        still: count('still'),
      },
      skipped: isCreated ? skipped : null,
      reached: isCreated ? counted.length + skipped : null,
      medianSeconds: percentile(seconds, 0.5),
      p90Seconds: percentile(seconds, 0.9),
      toNext: counted.length === 0 ? null : count('advanced') / counted.length,
    };
  });
}
