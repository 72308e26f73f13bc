import { Component, type ReactNode } from 'react';
import { PageMissingError } from '../lazy-page.ts';

/** Shows that a page broke, or did not come, instead of an empty one. The navigation stays, and another page is tried anew. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    const isMissing = error instanceof PageMissingError;
    return (
      <main id="main" tabIndex={-1}>
        <h1>{isMissing ? 'This page did not load' : 'This page broke'}</h1>
        <div className="notice notice-bad" role="alert">
          <p>
            {isMissing
              ? 'The network dropped, or the service was updated a moment ago. If it does not load again, tell your operator:'
              : 'Reload it; after an update of the service that is all it needs. If it breaks again, tell your operator:'}{' '}
            {error instanceof Error ? error.message : String(error)}
          </p>
          <p className="notice-foot">
            <button type="button" onClick={() => location.reload()}>
              {isMissing ? 'Try again' : 'Reload'}
            </button>
          </p>
        </div>
      </main>
    );
  }
}
