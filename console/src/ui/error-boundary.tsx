import { Component, type ReactNode } from 'react';

/** Shows that a page broke instead of an empty one. The navigation stays, and another page is tried anew. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <main id="main" tabIndex={-1}>
        <h1>This page broke</h1>
        <div className="notice notice-bad" role="alert">
          <p>
            Reload it. If it breaks again, tell your operator:{' '}
            {error instanceof Error ? error.message : String(error)}
          </p>
          <p className="notice-foot">
            <button type="button" onClick={() => location.reload()}>
              Reload
            </button>
          </p>
        </div>
      </main>
    );
  }
}
