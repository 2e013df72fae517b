import type { ComponentChildren } from 'preact';
import type { Mode } from '../../../kernel/principal';
import { DataTable } from '../../../platform/pages/components/data-table';
import { Head } from '../../../platform/pages/components/page-document';
import type { LinkedProposal } from '../application/proposal-repository';
import type { LineItem } from '../domain/line-item';
import { formatDay, formatMoney } from './money-format';
import type { ProposalTexts } from './proposal-texts';

interface ClientDocumentProps {
  language: string;
  mode: Mode;
  venue: string;
  title: string;
  heading: string;
  children: ComponentChildren;
}

/** A printable page in the name of the venue. */
export function ClientDocument({ language, mode, venue, title, heading, children }: ClientDocumentProps) {
  return (
    <html lang={language} data-mode={mode}>
      <Head title={`${title} · ${venue}`} />
      <body>
        <div class="frame client">
          <main id="main">
            <p class="client-venue" dir="auto">
              {venue}
            </p>
            <h1 dir="auto">{title}</h1>
            <p class="quiet">{heading}</p>
            {children}
          </main>
        </div>
      </body>
    </html>
  );
}

/** The line items and sums of a proposal. */
export function ProposalBody({ proposal, workspace, texts }: LinkedProposal & { texts: ProposalTexts }) {
  const { locale } = workspace;
  const { currency, validUntil, version, notes } = proposal;
  const money = (amount: number) => formatMoney(amount, currency, locale);
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 3 });
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 3 });
  return (
    <>
      <p>
        {proposal.isOpen && validUntil && texts.validUntil(formatDay(validUntil, locale))}
        {version > 1 && <span class="quiet"> ({`${texts.version} ${version}`})</span>}
      </p>
      <DataTable<LineItem>
        caption={texts.proposal}
        hideCaption
        rows={proposal.lineItems}
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
      <Sums proposal={proposal} workspace={workspace} texts={texts} />
      {notes && (
        <p class="pre" dir="auto">
          {notes}
        </p>
      )}
    </>
  );
}

function Sums({ proposal, workspace, texts }: LinkedProposal & { texts: ProposalTexts }) {
  const { locale } = workspace;
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
