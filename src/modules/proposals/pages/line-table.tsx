import { DataTable } from '../../../platform/pages/components/data-table';
import type { LineItem } from '../domain/line-item';
import type { Proposal } from '../domain/proposal';
import { formatDay, formatMoney } from './money-format';
import type { ProposalTexts } from './proposal-texts';

interface LineTableProps {
  proposal: Pick<Proposal, 'currency' | 'lineItems' | 'subtotal' | 'taxTotal' | 'total' | 'deposit'>;
  /** BCP 47 tag. */
  locale: string;
  texts: ProposalTexts;
}

/** The line items of a proposal with its sums. */
export function LineTable(props: LineTableProps) {
  const { proposal, locale, texts } = props;
  const { currency, lineItems } = proposal;
  const money = (amount: number) => formatMoney(amount, currency, locale);
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 3 });
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 3 });
  return (
    <>
      <DataTable<LineItem>
        caption={texts.proposal}
        hideCaption
        rows={lineItems}
        columns={[
          {
            title: texts.item,
            isHeader: true,
            cell: ({ description }) => (
              <span class="pre" dir="auto">
                {description}
              </span>
            ),
          },
          { title: texts.quantity, numeric: true, cell: ({ quantity }) => number.format(quantity) },
          {
            title: texts.unitPrice,
            numeric: true,
            cell: ({ unitAmount, unit }) => `${money(unitAmount)} ${texts.units[unit]}`.trim(),
          },
          { title: texts.tax, numeric: true, cell: ({ taxRate }) => percent.format(taxRate / 100) },
          { title: texts.amount, numeric: true, cell: ({ amount }) => money(amount) },
        ]}
      />
      <Sums {...props} />
    </>
  );
}

function Sums({ proposal, locale, texts }: LineTableProps) {
  const { currency, subtotal, taxTotal, total, deposit } = proposal;
  const money = (amount: number) => formatMoney(amount, currency, locale);
  return (
    <dl class="sums">
      <div>
        <dt>{texts.subtotal}</dt>
        <dd>{money(subtotal)}</dd>
      </div>
      <div>
        <dt>{texts.taxTotal}</dt>
        <dd>{money(taxTotal)}</dd>
      </div>
      <div class="sum">
        <dt>{texts.total}</dt>
        <dd>{money(total)}</dd>
      </div>
      {deposit && (
        <div>
          <dt>
            {texts.deposit}
            {deposit.dueDate && ` (${texts.dueOn(formatDay(deposit.dueDate, locale))})`}
          </dt>
          <dd>{money(deposit.amount)}</dd>
        </div>
      )}
    </dl>
  );
}
