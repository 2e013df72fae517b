import { PageDocument } from '../../../platform/pages/components/page-document';
import { Actions } from '../../../platform/pages/components/section';
import { destination } from './consent-page';

interface RefusedRequestPageProps {
  /** The name of the app. */
  name: string;
  message: string;
  /** The app's redirect address, with the error. */
  address: string;
}

/** Shown instead of the consent page for an invalid request. The person can continue to the app or close the page. */
export function RefusedRequestPage({ name, message, address }: RefusedRequestPageProps) {
  const host = destination(address);
  return (
    <PageDocument title={`${name} can’t be connected`} narrow>
      <p>
        The request from {name} is invalid: {message}
      </p>
      <p>
        Continue only if you started this yourself. {name} is made by another company and receives this error
        message.
      </p>
      <Actions>
        <a class="button secondary" href={address} rel="noreferrer">
          Continue to {host}
        </a>
      </Actions>
    </PageDocument>
  );
}
