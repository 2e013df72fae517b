import { ButtonLink } from './button';
import { PageDocument } from './page-document';

interface ErrorPageProps {
  title: string;
  message: string;
  /** For errors that the log explains. */
  requestId?: string;
}

export function ErrorPage({ title, message, requestId }: ErrorPageProps) {
  return (
    <PageDocument title={title} narrow>
      <p>{message}</p>
      {requestId && (
        <p class="quiet">
          If it happens again, give the server administrator this request ID: <code>{requestId}</code>
        </p>
      )}
      <ButtonLink to="/" kind="secondary">
        Back to overview
      </ButtonLink>
    </PageDocument>
  );
}
