import type { ComponentChildren } from 'preact';
import { accentPath } from '../../../platform/pages/accent';
import { Head } from '../../../platform/pages/components/page-document';
import type { FileId } from '../../../kernel/ids';
import type { ShownImage } from '../../files';
import type { ClientOffer } from '../application/client-offers';
import type { Section } from '../domain/presentation';
import type { ClientTexts } from './client-texts';
import { formatDay } from './money-format';
import { OfferTable } from './offer-table';
import { Picture } from './picture';
import type { ProposalTexts } from './proposal-texts';

type Texts = ProposalTexts & ClientTexts;

interface ClientDocumentProps {
  language: string;
  offer: ClientOffer;
  texts: Texts;
  /** Beside the proposal, or below it on phones. */
  bar: ComponentChildren;
  children: ComponentChildren;
}

/** A printable page in the name of the venue. */
export function ClientDocument({ language, offer, texts, bar, children }: ClientDocumentProps) {
  const { proposal, venue, cover } = offer;
  const { accent } = venue;
  return (
    <html lang={language} data-mode={proposal.mode}>
      <Head title={`${proposal.title} · ${venue.name}`} accent={accent ? accentPath(accent) : undefined} />
      <body class="client-page">
        {cover ? (
          <Picture image={cover} sizes="100vw" class="client-cover" isFirst />
        ) : (
          <div class="client-stripe" />
        )}
        <div class={cover ? 'frame client covered' : 'frame client'}>
          <main id="main">
            <ClientHead offer={offer} texts={texts} />
            {children}
          </main>
          {bar}
        </div>
      </body>
    </html>
  );
}

function ClientHead({ offer, texts }: Pick<ClientDocumentProps, 'offer' | 'texts'>) {
  const { proposal, venue } = offer;
  return (
    <div class="client-head">
      <p class="client-venue" dir="auto">
        {venue.logo ? (
          <Picture image={venue.logo} sizes="220px" class="client-logo" alt={venue.name} isFirst />
        ) : (
          venue.name
        )}
      </p>
      <h1 dir="auto">{proposal.title}</h1>
      <PreparedFor offer={offer} texts={texts} />
      <p class="quiet client-number">
        {`${texts.proposal} ${proposal.number}`}
        {proposal.version > 1 && ` (${texts.version} ${proposal.version})`}
      </p>
    </div>
  );
}

/** Such as: Prepared for Lucía Fernández · 12 June 2027 · 120 guests · Garden Pavilion. */
function PreparedFor({ offer, texts }: Pick<ClientDocumentProps, 'offer' | 'texts'>) {
  const { name, eventDate, guests, spaces } = offer.preparedFor;
  const { locale } = offer.workspace;
  const facts = [
    ...(eventDate ? [formatDay(eventDate, locale)] : []),
    ...(guests === null ? [] : [texts.guests(guests, new Intl.NumberFormat(locale).format(guests))]),
    ...spaces,
  ];
  if (!name && facts.length === 0) return null;
  return (
    <p class="client-facts">
      {name && (
        <span>
          {texts.preparedFor} <bdi>{name}</bdi>
        </span>
      )}
      {facts.map((fact) => (
        <span>
          <bdi>{fact}</bdi>
        </span>
      ))}
    </p>
  );
}

interface ClientBodyProps {
  offer: ClientOffer;
  images: ReadonlyMap<FileId, ShownImage>;
  texts: Texts;
}

/** What never changes of a sent proposal. */
export function ClientBody({ offer, images, texts }: ClientBodyProps) {
  const { message, sections, terms, notes } = offer.proposal;
  return (
    <>
      {message && (
        <p class="pre client-message" dir="auto">
          {message}
        </p>
      )}
      {sections.map((section) => (
        <ClientSection section={section} images={images} />
      ))}
      <section class="client-part">
        <h2>{texts.yourOffer}</h2>
        <OfferTable offer={offer} texts={texts} />
        {notes && (
          <p class="pre" dir="auto">
            {notes}
          </p>
        )}
      </section>
      {terms && (
        <section class="client-part client-terms">
          <h2>{texts.terms}</h2>
          <p class="pre" dir="auto">
            {terms}
          </p>
        </section>
      )}
    </>
  );
}

/** On a wide screen the text has 720 px. */
const SIZES = ['', '(min-width: 800px) 720px, 100vw', '(min-width: 800px) 360px, 50vw'];

function ClientSection({ section, images }: { section: Section; images: ClientBodyProps['images'] }) {
  const { title, text } = section;
  const shown = section.images.flatMap((id) => images.get(id) ?? []);
  if (!title && !text && shown.length === 0) return null;
  return (
    <section class="client-part">
      {title && <h2 dir="auto">{title}</h2>}
      {text && (
        <p class="pre" dir="auto">
          {text}
        </p>
      )}
      {shown.length > 0 && (
        <div class={`gallery of-${shown.length}`}>
          {shown.map((image, index) => (
            <Picture
              image={image}
              sizes={SIZES[shown.length === 1 || (index === 0 && shown.length % 2) ? 1 : 2]!}
            />
          ))}
        </div>
      )}
    </section>
  );
}
