import type { ComponentChildren } from 'preact';
import type { Mode } from '../../../kernel/principal';
import { Head } from '../../../platform/pages/components/page-document';
import type { LinkedProposal } from '../application/proposal-repository';
import { LineTable } from './line-table';
import { formatDay } from './money-format';
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
  const { validUntil, version, notes } = proposal;
  return (
    <>
      <p>
        {proposal.isOpen && validUntil && texts.validUntil(formatDay(validUntil, locale))}
        {version > 1 && <span class="quiet"> ({`${texts.version} ${version}`})</span>}
      </p>
      <LineTable proposal={proposal} locale={locale} texts={texts} />
      {notes && (
        <p class="pre" dir="auto">
          {notes}
        </p>
      )}
    </>
  );
}
