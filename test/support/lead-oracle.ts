import { foldText } from '../../src/kernel/text';
import type { LeadBody, Parameters } from './leads';

// No language's own rules: the root order of Unicode's collation algorithm, which English doesn't change.
const collator = new Intl.Collator('en');

/** What a list of `leads` should hold with these parameters, in its order: worked out the plain way. */
export function expectedList(leads: LeadBody[], parameters: Parameters): LeadBody[] {
  const sort = String(parameters.sort ?? '-createdAt');
  const descending = sort.startsWith('-');
  const field = sort.replace('-', '') as 'createdAt' | 'updatedAt' | 'eventDate' | 'name';
  return leads
    .filter((lead) => matches(lead, parameters))
    .sort((one, other) => {
      const [a, b] = [one[field], other[field]];
      if (a === null || b === null) {
        if (a !== b) return a === null ? 1 : -1;
      } else {
        const order = field === 'name' ? compareNames(a, b) : compareText(a, b);
        if (order !== 0) return descending ? -order : order;
      }
      return descending ? compareText(other.id, one.id) : compareText(one.id, other.id);
    });
}

function matches(lead: LeadBody, parameters: Parameters): boolean {
  const {
    stage,
    outcome,
    email,
    tag,
    source,
    eventDateFrom,
    eventDateTo,
    archived = 'false',
    q,
  } = parameters;
  const { createdAfter, createdBefore, updatedAfter } = parameters;
  const time = (text: string | number) => Date.parse(String(text));
  const fields = [lead.name, lead.email, lead.phone, ...lead.tags].map((text) => foldText(text ?? ''));
  return (
    (archived === 'all' || (lead.archivedAt !== null) === (archived === 'true')) &&
    (stage === undefined || lead.stage === stage) &&
    (outcome === undefined || lead.outcome === outcome) &&
    (email === undefined || isSame(lead.email, email)) &&
    (tag === undefined || lead.tags.some((one) => isSame(one, tag))) &&
    (source === undefined || isSame(lead.source, source)) &&
    (eventDateFrom === undefined || (lead.eventDate !== null && lead.eventDate >= String(eventDateFrom))) &&
    (eventDateTo === undefined || (lead.eventDate !== null && lead.eventDate <= String(eventDateTo))) &&
    (createdAfter === undefined || time(lead.createdAt) > time(createdAfter)) &&
    (createdBefore === undefined || time(lead.createdAt) < time(createdBefore)) &&
    (updatedAfter === undefined || time(lead.updatedAt) > time(updatedAfter)) &&
    (q === undefined ||
      foldText(String(q))
        .split(/\s+/)
        .every((word) => fields.some((text) => text.includes(word))))
  );
}

function isSame(stored: string | null, wanted: string | number): boolean {
  return stored !== null && foldText(stored) === foldText(String(wanted));
}

/** Names that people would sort alike are told apart by their bytes. */
function compareNames(a: string, b: string): number {
  return collator.compare(a, b) || Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
