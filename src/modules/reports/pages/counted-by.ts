import type { Request } from 'express';
import { NotFound } from '../../../kernel/errors';
import { type LostReasonId, parseId } from '../../../kernel/ids';
import { queryText } from '../../../platform/pages/query-text';
import { type CountedBy, type LeadsOf, RESPONSES } from '../application/report-reader';

const NAMES = ['stage', 'response', 'within', 'source', 'noSource', 'lostReason'] as const;
const MAX_LENGTH = 200;

/**
 * The leads that a page's address asks for, as `Figures.listOf` writes it.
 *
 * @throws NotFound for an address that no figure leads to
 */
export function countedBy(request: Request): {
  parameters: Record<string, string>;
  leads: LeadsOf;
  which: CountedBy;
} {
  const entries = NAMES.map((name) => [name, queryText(request, name)] as const).filter(([, text]) => text);
  const parameters = Object.fromEntries(entries) as Partial<Record<(typeof NAMES)[number], string>>;
  const { stage, response, within, source, noSource, lostReason } = parameters;
  const reason = lostReason === 'none' ? null : lostReason && parseId('reason', lostReason);
  const isKnown =
    entries.every(([, text]) => text.length <= MAX_LENGTH && !text.includes('\0')) &&
    (response === undefined || (RESPONSES as readonly string[]).includes(response)) &&
    (within === undefined || /^[1-9]\d{0,5}$/.test(within)) &&
    (lostReason === undefined || reason !== undefined);
  if (!isKnown) throw new NotFound('page');
  return {
    parameters: parameters,
    leads: source === undefined ? {} : { source },
    which: {
      by: lostReason === undefined ? 'created' : 'lost',
      ...(stage !== undefined && { stage }),
      ...(response !== undefined && { response: response as CountedBy['response'] }),
      ...(within !== undefined && { withinMinutes: Number(within) }),
      ...(noSource !== undefined && { hasNoSource: true as const }),
      ...(lostReason !== undefined && { lostReasonId: reason as LostReasonId | null }),
    },
  };
}
