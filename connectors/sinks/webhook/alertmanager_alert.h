// An alert as the API of Alertmanager takes it (v2, POST /api/v2/alerts): one object with labels,
// which identify it, annotations, and the times of its begin and end.
//
// Thread safety: pure functions.
//
// Source: the OpenAPI document of Alertmanager, api/v2/openapi.yaml, postableAlert.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "connectors/sinks/alert_receiver.h"

namespace sash {

// The labels of each alert: alertname, job, window, and subject if it has one. A test has the label
// test. Labels of the configuration cannot have these names.
bool IsOwnLabel(std::string_view name);

std::string AlertmanagerAlert(const AlertMessage& alert);

// The body of a request.
std::string AlertmanagerBody(const std::vector<AlertMessage>& alerts);

}  // namespace sash
