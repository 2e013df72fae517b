import { ButtonLink } from './button';
import { PageDocument } from './page-document';

interface ErrorPageProps {
  title: string;
  message: string;
  /** Where it helps to find what happened in the log. */
  requestId?: string;
}

export function ErrorPage({ title, message, requestId }: ErrorPageProps) {
  return (
    <PageDocument title={title} narrow>
      <p>{message}</p>
      {requestId && (
        <p class="quiet">
          Whoever runs this Gala finds it in the log by the request id <code>{requestId}</code>.
        </p>
      )}
      <ButtonLink to="/" kind="secondary">
        To the start page
      </ButtonLink>
    </PageDocument>
  );
}
