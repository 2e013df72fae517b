import { ButtonLink } from './components/button';
import type { Path } from './components/link';
import { PageDocument } from './components/page-document';

/** For a form that was sent, changed and sent once more. `next` is where the first one led. */
export function AlreadySentPage({ next }: { next: Path }) {
  return (
    <PageDocument title="This form was already sent" narrow>
      <p>
        The first version was saved. Your later changes were not: to make them, open the page with the form
        again.
      </p>
      <ButtonLink to={next}>Continue</ButtonLink>
    </PageDocument>
  );
}
