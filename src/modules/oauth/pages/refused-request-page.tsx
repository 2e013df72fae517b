import { PageDocument } from '../../../platform/pages/components/page-document';
import { Actions } from '../../../platform/pages/components/section';
import { destination } from './consent-page';

interface RefusedRequestPageProps {
  /** The app's. */
  name: string;
  message: string;
  /** Where the app hears of the error. */
  address: string;
}

/** An app's request can't be answered with a consent page. The person may go on to the app, or close the page. */
export function RefusedRequestPage({ name, message, address }: RefusedRequestPageProps) {
  const host = destination(address);
  return (
    <PageDocument title={`${name} can’t be connected`} narrow>
      <p>
        The request from {name} is faulty: {message}
      </p>
      <p>
        Continue only if you started this yourself. {name} is made by another company and gets this error
        message from the link.
      </p>
      <Actions>
        <a class="button secondary" href={address} rel="noreferrer">
          Continue to {host}
        </a>
      </Actions>
    </PageDocument>
  );
}
