#include "windows/store/window_view.h"

namespace sash {

WindowView EmptyView() { return std::make_shared<const CsrGraph>(EdgeList(), VertexId{0}); }

}  // namespace sash
