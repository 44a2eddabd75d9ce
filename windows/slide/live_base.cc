#include "windows/slide/live_base.h"

#include <variant>

namespace sash {

std::shared_ptr<const MultiversionedView> LiveBase::View(VertexId id_limit) {
  if (!view_) {
    const PublishedView published = store_->Publish(id_limit);
    view_ = std::get<std::shared_ptr<const MultiversionedView>>(published.view);
  }
  return view_;
}

}  // namespace sash
